package io.millrace.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.script.directive.ScriptParser;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that make a submission a batch, and what its jobs wait for. */
final class BatchOptions {

    private static final Pattern DIRECTIVES = Pattern.compile("(?m)^#(SBATCH|PBS|BSUB)\\b");

    @Option(
            names = {"-a", "--array"},
            paramLabel = "INDICES",
            description = "submit one job for each index, as of sbatch: 1-10, 0-15:4, 1,3,7; %%4: at most 4 at a time"
                    + " (default: from the script)")
    @Nullable
    String array;

    @Option(
            names = "--directories",
            paramLabel = "PATTERN",
            description =
                    "submit one job in each directory that matches, such as 'case*' (in quotes), below the working"
                            + " directory; may be repeated")
    @Nullable
    List<String> directories;

    @Option(
            names = {"-d", "--dependency"},
            paramLabel = "CONDITIONS",
            description =
                    "wait for other jobs or batches, as of sbatch: afterok:ID, afternotok:ID, afterany:ID, after:ID,"
                            + " aftercorr:ID, singleton; several with commas (all) or question marks (any)")
    @Nullable
    String dependency;

    /** Whether the request is a batch; also if the script requests an array. */
    boolean isBatch(final String script) {
        return array != null
                || directories != null
                || DIRECTIVES.matcher(script).find()
                        && ScriptParser.read(script).request().array() != null;
    }

    /** @param base absolute path of the working directory */
    void putInto(final ObjectNode job, final String base) throws CommandException {
        if (array != null) {
            job.put("array", array);
        }
        if (dependency != null) {
            job.put("dependency", dependency);
        }
        if (directories != null) {
            final var names = job.putArray("directories");
            matching(Path.of(base), directories).forEach(directory -> names.add(directory.toString()));
        }
    }

    private static List<Path> matching(final Path base, final List<String> patterns) throws CommandException {
        final TreeSet<Path> all = new TreeSet<>();
        for (final String pattern : patterns) {
            List<Path> found = List.of(pattern.startsWith("/") ? Path.of("/") : base);
            for (final Path name : Path.of(pattern).normalize()) {
                found = inside(found, name.toString(), pattern);
            }
            if (found.isEmpty()) {
                throw new CommandException(
                        ExitCode.NOT_FOUND, "no directory in '" + base + "' matches '" + pattern + "'");
            }
            all.addAll(found);
        }
        for (final Path directory : all) {
            JobFiles.directory(directory.toString());
        }
        return List.copyOf(all);
    }

    /** The directories with a matching name in these directories. */
    private static List<Path> inside(final List<Path> parents, final String name, final String pattern)
            throws CommandException {
        final List<Path> found = new ArrayList<>();
        for (final Path parent : parents) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(parent, name)) {
                for (final Path child : children) {
                    if (Files.isDirectory(child)) {
                        found.add(child.normalize());
                    }
                }
            } catch (final IOException e) {
                throw new CommandException(
                        ExitCode.NOT_FOUND, "cannot read directory '" + parent + "': " + e.getMessage());
            } catch (final PatternSyntaxException e) {
                throw new CommandException(
                        ExitCode.USAGE, "--directories: '" + pattern + "' is not a valid pattern; use * and ?");
            }
        }
        return found;
    }
}
