package io.millrace.cli;

import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.model.job.ScriptText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the scripts and checks the directories of a job. */
final class JobFiles {

    private static final int MAX_BYTES = 256 * 1024;

    private JobFiles() {}

    /** Returns the text of a script; {@code -} reads standard input. */
    static String script(final String file) throws CommandException {
        final byte[] bytes = bytes(file);
        if (bytes.length > MAX_BYTES) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "script '" + file + "' is larger than " + MAX_BYTES
                            + " bytes; keep data in files in the working directory");
        }
        for (final byte b : bytes) {
            if (b == 0) {
                throw new CommandException(
                        ExitCode.USAGE,
                        "script '" + file + "' is a program or UTF-16 text; to run a program, use: mgsub [options] -- "
                                + file + "; convert text with iconv -f UTF-16 -t UTF-8");
            }
        }
        return ScriptText.of(bytes);
    }

    private static byte[] bytes(final String file) throws CommandException {
        try {
            if (file.equals("-")) {
                return System.in.readNBytes(MAX_BYTES + 1);
            }
            try (var in = Files.newInputStream(path(file))) {
                return in.readNBytes(MAX_BYTES + 1);
            }
        } catch (NoSuchFileException e) {
            throw new CommandException(ExitCode.NOT_FOUND, "script '" + file + "' not found");
        } catch (IOException e) {
            throw new CommandException(ExitCode.NOT_FOUND, "cannot read script '" + file + "': " + e.getMessage());
        }
    }

    private static Path path(final String name) throws CommandException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new CommandException(ExitCode.USAGE, "file name '" + name + "' is not valid UTF-8; rename the file");
        }
    }

    static String name(final String file) {
        return String.valueOf(Path.of(file).getFileName());
    }

    /** Returns an absolute path; null: the current directory. Does not resolve links, because the agent sees the same tree. */
    static String directory(final @Nullable String name) throws CommandException {
        final Path directory =
                Path.of(name == null ? "" : name).toAbsolutePath().normalize();
        if (!Files.isDirectory(directory)) {
            throw new CommandException(ExitCode.NOT_FOUND, "directory '" + directory + "' not found on this node");
        }
        if (!Files.isExecutable(directory) || !Files.isWritable(directory)) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "cannot write to directory '" + directory + "', where the output of the job is stored;"
                            + " choose another one with -D DIR");
        }
        return directory.toString();
    }
}
