package io.millrace.cli.slurm;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that the commands of Slurm share. */
final class SlurmOptions {

    @Option(
            names = {"--help", "--usage"},
            usageHelp = true,
            description = "show this help")
    boolean help;

    @Option(
            names = {"-V", "--version"},
            versionHelp = true,
            description = "show the version")
    boolean version;

    @Option(
            names = {"-M", "--clusters", "--cluster"},
            paramLabel = "CLUSTERS",
            description = "only jobs on these clusters; all: every cluster (default)")
    @Nullable
    List<String> clusters;

    @Option(
            names = {"-v", "--verbose"},
            hidden = true)
    boolean[] verbose = new boolean[0];

    List<String> clusters() {
        final List<String> words = JobLookup.words(clusters);
        return words.contains("all") ? List.of() : words;
    }
}
