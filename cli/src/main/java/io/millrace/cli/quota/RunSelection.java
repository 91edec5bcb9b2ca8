package io.millrace.cli.quota;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that select ended runs by their user and project. */
final class RunSelection {

    @Option(
            names = {"-u", "--user"},
            paramLabel = "USER",
            description = "only runs of this user (default for operators: all users)")
    @Nullable
    String user;

    @Option(
            names = {"-A", "--project"},
            paramLabel = "PROJECT",
            description = "only runs of this project")
    @Nullable
    String project;
}
