package io.millrace.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Scripts and directories that the user names. */
final class JobFiles {

    private static final int MAX_BYTES = 256 * 1024;

    private JobFiles() {}

    /** The text of a script; {@code -} is standard input. */
    static String script(final String file) throws CommandException {
        final byte[] bytes = bytes(file);
        if (bytes.length > MAX_BYTES) {
            throw new CommandException(
                    ExitCode.USAGE,
                    "'" + file + "' has more than " + MAX_BYTES
                            + " bytes: a script is short; leave data in the job's directory");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new CommandException(
                    ExitCode.USAGE, "'" + file + "' is no text in UTF-8: is it a program? Then write: mgsub … -- " + file);
        }
    }

    private static byte[] bytes(final String file) throws CommandException {
        try {
            if (file.equals("-")) {
                return System.in.readNBytes(MAX_BYTES + 1);
            }
            try (var in = java.nio.file.Files.newInputStream(path(file))) {
                return in.readNBytes(MAX_BYTES + 1);
            }
        } catch (NoSuchFileException e) {
            throw new CommandException(ExitCode.NOT_FOUND, "there is no script '" + file + "'");
        } catch (IOException e) {
            throw new CommandException(ExitCode.NOT_FOUND, "the script '" + file + "' cannot be read: " + e.getMessage());
        }
    }

    private static Path path(final String name) throws CommandException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new CommandException(ExitCode.USAGE, "'" + name + "' is no name of a file in UTF-8: rename it");
        }
    }

    static String name(final String file) {
        return String.valueOf(Path.of(file).getFileName());
    }

    /** As an absolute path; null is the current directory. Links stay what they are: the agent sees the same tree. */
    static String directory(final @Nullable String name) throws CommandException {
        final Path directory =
                Path.of(name == null ? "" : name).toAbsolutePath().normalize();
        if (!java.nio.file.Files.isDirectory(directory)) {
            throw new CommandException(ExitCode.NOT_FOUND, "there is no directory '" + directory + "' on this node");
        }
        return directory.toString();
    }
}
