package io.millrace.agent.pbspro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code deploy/pbs/millrace-watchdog} with programs that record their arguments. */
class WatchdogIT {

    private static final Path SCRIPT =
            Path.of("../../deploy/pbs/millrace-watchdog").toAbsolutePath();

    @TempDir
    Path folder;

    @Test
    void without_a_heartbeat_scheduling_is_enabled_and_only_entry_holds_are_released() throws Exception {
        program("qmgr", "echo \"qmgr $*\" >>'" + folder + "/log'");
        program("qrls", "echo \"qrls $*\" >>'" + folder + "/log'");
        // The variable of job 2 contains what looks like job 7 with an entry hold.
        program("qstat", """
            d=$5
            line() { local IFS=; printf '%s\\n' "$*"; }
            line "Job Id: 1.vm" "$d" Hold_Types=o "$d" Resource_List.millrace=entry.0 "$d" Submit_Host=vm
            line "Job Id: 2.vm" "$d" Hold_Types=u "$d" "Variable_List=A=x"
            line "Job Id: 7.vm"
            line "Hold_Types=o|Resource_List.millrace=entry.0" "$d" Submit_Host=vm
            line "Job Id: 3.vm" "$d" Hold_Types=o "$d" Resource_List.millrace=free.0 "$d" Submit_Host=vm
            line "Job Id: 4[].vm" "$d" Hold_Types=uo "$d" Resource_List.millrace=entry.2 "$d" Submit_Host=vm
            line "Job Id: 5.vm" "$d" Hold_Types=o "$d" Resource_List.millrace=submission.0 "$d" Submit_Host=vm
            """);
        final Process watchdog = new ProcessBuilder(
                        SCRIPT.toString(),
                        "--heartbeat",
                        folder.resolve("heartbeat").toString(),
                        "--heartbeat-timeout",
                        "0",
                        "--bin",
                        folder.toString(),
                        "--interval",
                        "1")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            final Instant limit = Instant.now().plus(Duration.ofMinutes(5));
            while (!recorded().contains("qrls") && Instant.now().isBefore(limit)) {
                Thread.sleep(100);
            }
            assertThat(recorded().lines())
                    .containsExactly("qmgr -c set server scheduling=True", "qrls -h o 1.vm 4[].vm");
        } finally {
            watchdog.destroy();
            watchdog.waitFor();
        }
    }

    private String recorded() throws IOException {
        final Path log = folder.resolve("log");
        return Files.exists(log) ? Files.readString(log) : "";
    }

    private void program(final String name, final String body) throws IOException {
        final Path file = folder.resolve(name);
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
