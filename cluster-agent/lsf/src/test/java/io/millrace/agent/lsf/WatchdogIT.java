package io.millrace.agent.lsf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the watchdog script with LSF commands that only record their arguments. */
class WatchdogIT {

    @TempDir
    private Path folder;

    private Path state;
    private Process watchdog;

    @BeforeEach
    void create_the_files_of_an_agent() throws IOException {
        state = Files.createDirectories(folder.resolve("state"));
        final Path notes = Files.createDirectories(state.resolve("notes"));
        Files.writeString(state.resolve("control"), "directed\n");
        Files.writeString(state.resolve("gate"), "normal\nshort\n");
        Files.writeString(notes.resolve("12@1795179876"), "entry 1795179900\n");
        Files.writeString(notes.resolve("13[2]@1795179876"), "entry 1795179900\n");
        Files.writeString(notes.resolve("14@1795179876"), "user 1795179900\n");
        Files.writeString(notes.resolve("15@1795179876"), "released 1795179900\n");
        for (final String program : new String[] {"badmin", "bresume"}) {
            final Path file = Files.createDirectories(folder.resolve("bin")).resolve(program);
            Files.writeString(file, "#!/bin/sh\necho \"" + program + " $*\" >>'" + folder.resolve("commands") + "'\n");
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        watchdog.destroy();
        watchdog.waitFor();
    }

    @Test
    void a_silent_millrace_returns_control_once_and_keeps_the_holds_of_owners_and_operators() throws Exception {
        watch();

        await("native\n");
        assertThat(folder.resolve("commands"))
                .content()
                .isEqualTo("badmin qact normal short\nbresume 12\nbresume 13[2]\n");
        assertThat(state.resolve("gate")).content().isEmpty();
    }

    private void watch() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("deploy/lsf/millrace-watchdog"))) {
            root = root.getParent();
        }
        watchdog = new ProcessBuilder(
                        root.resolve("deploy/lsf/millrace-watchdog").toString(),
                        "--heartbeat",
                        folder.resolve("heartbeat").toString(),
                        "--heartbeat-timeout",
                        "0",
                        "--state",
                        state.toString(),
                        "--bin",
                        folder.resolve("bin").toString(),
                        "--interval",
                        "0.2")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
    }

    private void await(final String control) throws Exception {
        final Instant limit = Instant.now().plusSeconds(300);
        while (!Files.readString(state.resolve("control")).equals(control)
                || !Files.readString(folder.resolve("log")).contains("held jobs released")) {
            assertThat(Instant.now())
                    .as(Files.readString(folder.resolve("log")))
                    .isBefore(limit);
            Thread.sleep(100);
        }
    }
}
