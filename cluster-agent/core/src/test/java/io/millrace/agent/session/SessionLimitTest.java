package io.millrace.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.Helper;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.UserName;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The time limit of a make step of an agent without root, whose program has the same rights as the timeout that watches it. */
@Timeout(120)
class SessionLimitTest {

    /** As sudo with the helper: runs the program of the request, or signals a session, as another user if the test runs as root. */
    private static final String SUDO = """
        #!/bin/bash
        shift 2
        as=()
        if ((EUID == 0)); then as=(setpriv --reuid=65534 --regid=65534 --clear-groups --); fi
        if [[ $1 == signal ]]; then exec "${as[@]}" pkill "-$4" -s "$5"; fi
        read -rN 8 length
        mapfile -d '' -t field
        exec "${as[@]}" timeout --kill-after=2 "${field[8]}" "${field[@]:10:field[9]}"
        """;

    private static final Account OWNER = new Account(UserName.of("nobody"), 65534, 65534, "/", "/bin/sh");
    private static final Duration LIMIT = Duration.ofSeconds(1);

    @TempDir
    private Path folder;

    private Sessions sessions;

    @BeforeEach
    void programs() throws IOException {
        TestAccounts.letIn(folder);
        sessions = new Sessions(folder.resolve("bin"));
        final Path sudo = Files.writeString(folder.resolve("sudo"), SUDO);
        Files.setPosixFilePermissions(sudo, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    @Attack("a make step stops the timeout that enforces its limit, and runs for ever")
    void a_program_that_stops_its_watchdog_ends_at_the_limit() throws Exception {
        final Session.Exit exit = run("kill -STOP $PPID; trap '' TERM; sleep 3600 & wait");

        assertThat(exit.timedOut()).isTrue();
    }

    @Test
    @Attack("a make step kills the timeout that enforces its limit, and leaves a process")
    void a_program_that_kills_its_watchdog_is_killed_with_it() throws Exception {
        final Session.Exit exit = run("kill -KILL $PPID; sleep 3600 & wait");

        assertThat(exit.status()).isNotZero();
    }

    /** Runs the program with a limit of a second. Nothing of its session remains. */
    private Session.Exit run(final String program) throws Exception {
        final Path run = folder.resolve("run");
        final List<String> argv = List.of("bash", "-c", program);
        final byte[] request = Helper.request(
                Authority.CHECK,
                OWNER,
                "/",
                LIMIT,
                Sessions.become("/", Program.TO_THE_LOG, Program.BaseEnvironment.EMPTY, argv),
                Map.of());
        final Program session = new Program(
                argv,
                Helper.signals(OWNER),
                Map.of(),
                request,
                Program.BaseEnvironment.EMPTY,
                "/",
                Program.TO_THE_LOG,
                LIMIT);
        sessions.prepare(run, session);
        final ProcessBuilder builder = new ProcessBuilder(sessions.argv(run, session))
                .redirectErrorStream(true)
                .redirectOutput(run.resolve("log").toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));

        assertThat(builder.start().waitFor(60, TimeUnit.SECONDS))
                .as("the session ends")
                .isTrue();

        final String leader = Files.readString(run.resolve("session")).strip();
        assertThat(alive(leader)).as("processes of the session").isEmpty();
        return new Session(run).exit().orElseThrow();
    }

    private static List<String> alive(final String session) throws Exception {
        final Process ps = new ProcessBuilder("ps", "-s", session, "-o", "stat=,args=").start();
        return new String(ps.getInputStream().readAllBytes())
                .lines()
                .filter(line -> !line.startsWith("Z") && !line.contains("timeout --signal=CONT"))
                .toList();
    }
}
