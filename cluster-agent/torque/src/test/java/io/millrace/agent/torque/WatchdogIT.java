package io.millrace.agent.torque;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code deploy/torque/millrace-watchdog} with commands that record their arguments. */
final class WatchdogIT {

    private static final String QUEUE = """
        Job Id: 7.vm
            Job_Name = gate
            job_state = H
            Hold_Types = s
            Variable_List = PBS_O_HOME=/home/alice,
        \tPBS_O_SHELL=/bin/sh
            comment = millrace:entry/s@1

        Job Id: 8[3].vm
            job_state = H
            Hold_Types = so
            comment = millrace:entry/o@0

        Job Id: 9.vm
            job_state = H
            Hold_Types = s
            comment = millrace:submission/s@0

        Job Id: 10.vm
            job_state = H
            Hold_Types = us
            Variable_List = X=
            comment = millrace:entry/s@0
            comment = stopped by an operator

        Job Id: 11.vm
            job_state = Q
            Hold_Types = n
            comment = millrace:entry/s@0

        """;

    @Test
    void without_a_heartbeat_scheduling_is_enabled_and_only_entry_holds_are_released(@TempDir final Path folder)
            throws IOException, InterruptedException {
        final Path log = folder.resolve("log");
        Files.writeString(folder.resolve("queue"), QUEUE);
        program(folder, "qstat", "cat " + folder.resolve("queue"));
        for (final String name : List.of("qmgr", "qrls")) {
            program(folder, name, "echo " + name + " \"$@\" >>" + log);
        }
        final Process watchdog = new ProcessBuilder(
                        script().toString(),
                        "--heartbeat",
                        folder.resolve("heartbeat").toString(),
                        "--heartbeat-timeout",
                        "0",
                        "--bin",
                        folder.toString(),
                        "--interval",
                        "1")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
            while (lines(log).size() < 3 && Instant.now().isBefore(limit)) {
                Thread.sleep(50);
            }
            assertThat(lines(log))
                    .containsExactly("qmgr -c set server scheduling = True", "qrls -h s 7.vm", "qrls -h o 8[3].vm");
        } finally {
            watchdog.destroy();
        }
    }

    private static List<String> lines(final Path file) throws IOException {
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private static void program(final Path folder, final String name, final String body) throws IOException {
        final Path file = folder.resolve(name);
        Files.writeString(file, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static Path script() {
        return Path.of("../../deploy/torque/millrace-watchdog").toAbsolutePath();
    }
}
