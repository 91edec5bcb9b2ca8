package io.millrace.agent.acceptance;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command line of an agent process with the class path of the tests. */
final class AgentCommand {

    private AgentCommand() {}

    static List<String> of(final Class<?> main, final String... arguments) {
        final String surefires = System.getProperty("surefire.test.class.path");
        final List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                surefires == null ? System.getProperty("java.class.path") : surefires,
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }
}
