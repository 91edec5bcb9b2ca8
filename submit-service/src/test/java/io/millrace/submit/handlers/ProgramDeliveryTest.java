package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.submit.domain.handler.DeliveryResult;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget.Program;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class ProgramDeliveryTest {

    /** Root runs nothing, so under root the programs run as {@code nobody}. */
    private static final int SELF = ProgramUser.own();

    private static final String USER = SELF == 0 ? "nobody" : System.getProperty("user.name");
    private static final HandlerEvent LETTER = new HandlerEvent(
            Map.of("id", "1", "source", "/millrace/test", "type", "t"), "{\"name\":\"Länge $(id) `id`\"}");
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir
    Path folder;

    @BeforeEach
    void the_user_owns_the_folder() throws IOException {
        if (SELF == 0) {
            Files.setAttribute(folder, "unix:uid", ProgramUser.uid(USER));
        }
    }

    private ProgramDelivery program(final Duration limit, final String script, final String... arguments)
            throws IOException {
        final Path file = Files.writeString(folder.resolve("handler"), "#!/bin/bash\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        final List<String> argv = new java.util.ArrayList<>(List.of(file.toString()));
        argv.addAll(List.of(arguments));
        return new ProgramDelivery("h", new Program(argv, USER, limit), SELF);
    }

    private String written(final String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    @Attack("a text of an event is executed by the shell of a handler")
    void the_program_reads_the_event_from_standard_input_without_a_shell() throws Exception {
        final DeliveryResult verdict = program(
                        LONG,
                        "cat > " + folder + "/in; printf '%s\\n' \"$@\" > " + folder + "/argv; env > " + folder
                                + "/env; pwd > " + folder + "/cwd",
                        "$(id)",
                        "a b;c")
                .deliver(LETTER);

        assertThat(verdict).isEqualTo(new DeliveryResult.Delivered());
        final JsonNode event = new ObjectMapper().readTree(written("in"));
        assertThat(event.path("data").path("name").asText()).isEqualTo("Länge $(id) `id`");
        assertThat(event.path("source").asText()).isEqualTo("/millrace/test");
        assertThat(written("argv")).isEqualTo("$(id)\na b;c\n");
        assertThat(written("cwd")).isEqualTo("/\n");
        assertThat(written("env").lines().map(line -> line.replaceAll("=.*", "")))
                .isSubsetOf(
                        "PATH",
                        "HOME",
                        "LANG",
                        "MILLRACE_HANDLER",
                        "MILLRACE_HANDLER_RUN",
                        "PWD",
                        "SHLVL",
                        "_",
                        "OLDPWD");
    }

    @Test
    void a_nonzero_exit_code_is_a_failure_with_the_last_line_of_output() throws Exception {
        assertThat(program(LONG, "echo first; echo 'no room' >&2; exit 3").deliver(LETTER))
                .isEqualTo(new DeliveryResult.Failed("the program ended with exit code 3: no room"));
    }

    @Test
    void a_program_that_reads_nothing_but_exits_with_zero_has_accepted_the_event() throws Exception {
        final HandlerEvent large = new HandlerEvent(LETTER.attributes(), "\"" + "x".repeat(900_000) + "\"");

        assertThat(program(LONG, "exit 0").deliver(large)).isEqualTo(new DeliveryResult.Delivered());
    }

    @Test
    void long_output_is_truncated_and_counted() throws Exception {
        final DeliveryResult verdict =
                program(LONG, "head -c 5000000 /dev/zero | tr '\\0' x; exit 1").deliver(LETTER);

        final String because = ((DeliveryResult.Failed) verdict).reason();
        assertThat(because)
                .hasSizeLessThan(2 * ProgramOutput.KEPT)
                .contains("… and " + (5_000_000 - ProgramOutput.KEPT) + " bytes more");
    }

    /** A child of the shell, one in a new session, and one without parents: all are killed at the timeout. */
    private static final String BROOD = """
        sleep 1000 & echo $! >> %1$s/pids
        setsid sleep 1000 & echo $! >> %1$s/pids
        ( setsid bash -c 'echo $$ >> %1$s/pids; exec sleep 1000' & )
        while [ $(wc -l < %1$s/pids) -lt 3 ]; do sleep 0.01; done
        """;

    @Test
    void at_the_timeout_all_processes_of_the_program_are_killed() throws Exception {
        final ProgramDelivery hanging =
                program(Duration.ofSeconds(3), BROOD.formatted(folder) + "touch " + folder + "/brood; sleep 1000");

        assertThat(hanging.deliver(LETTER))
                .isEqualTo(new DeliveryResult.Failed("the program exceeded its timeout of 3s"));
        assertNoneIsLeft();
    }

    @Test
    void background_processes_are_killed_when_the_program_ends() throws Exception {
        assertThat(program(LONG, BROOD.formatted(folder) + "exit 0").deliver(LETTER))
                .isEqualTo(new DeliveryResult.Delivered());

        assertThat(written("pids").lines()).hasSize(3);
        assertNoneIsLeft();
    }

    /** A process with a new session and an empty environment survives, but does not block deliveries although it holds the pipes. */
    @Test
    void a_surviving_process_does_not_block_further_events() throws Exception {
        final Path file = Files.writeString(
                folder.resolve("escaping"),
                "#!/bin/bash\n(env -i setsid bash -c 'echo $$ > " + folder + "/pids; exec sleep 1000' &)\n"
                        + "while [ ! -s " + folder + "/pids ]; do sleep 0.01; done\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        final Program escaping = new Program(List.of(file.toString()), USER, LONG);
        try {
            assertThat(new ProgramDelivery("h", escaping, SELF, Duration.ofMillis(100)).deliver(LETTER))
                    .isEqualTo(new DeliveryResult.Delivered());
        } finally {
            final long pid = Long.parseLong(written("pids").strip());
            ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private void assertNoneIsLeft() throws IOException {
        final List<String> pids =
                Files.exists(folder.resolve("pids")) ? Files.readAllLines(folder.resolve("pids")) : List.of();
        for (final String pid : pids) {
            final Path stat = Path.of("/proc", pid, "stat");
            final String state = Files.exists(stat) ? Files.readString(stat) : "";
            assertThat(state).as("process " + pid).matches("|\\d+ \\(.*\\) Z .*\\s*");
        }
    }

    @Test
    void a_program_that_cannot_run_is_refused_at_startup() {
        final Program missing = new Program(List.of("/nowhere/tell"), USER, LONG);
        final Program unsaid = new Program(List.of("/bin/true"), null, LONG);
        final Program daemon = new Program(List.of("/bin/true"), "daemon", LONG);
        final Program other = new Program(List.of("/bin/true"), "somebody-else", LONG);

        assertThatThrownBy(() -> new ProgramDelivery("h", missing, SELF))
                .hasMessageContaining("/nowhere/tell does not exist");
        assertThatThrownBy(() -> new ProgramDelivery("h", unsaid, 0))
                .hasMessageContaining("set 'user' to the ordinary user");
        assertThatThrownBy(() -> new ProgramDelivery("h", daemon, 4711)).hasMessageContaining("which requires root");
        assertThatThrownBy(() -> new ProgramDelivery("h", other, 0))
                .hasMessageContaining("user 'somebody-else' not found");
    }

    @Test
    @Attack("a program of an event handler runs as root")
    void no_program_runs_as_root_by_whatever_name() {
        for (final String root : List.of("root", "0", "+0")) {
            assertThatThrownBy(() -> new ProgramDelivery("h", new Program(List.of("/bin/true"), root, LONG), 0))
                    .hasMessageContaining("runs nothing as root");
        }
    }
}
