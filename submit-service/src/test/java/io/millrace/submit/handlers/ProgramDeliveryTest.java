package io.millrace.submit.handlers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.submit.domain.handler.HandlerEvent;
import io.millrace.submit.domain.handler.HandlerTarget.Program;
import io.millrace.submit.domain.handler.DeliveryResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(600)
class ProgramDeliveryTest {

    private static final String SELF = System.getProperty("user.name");
    private static final HandlerEvent LETTER =
            new HandlerEvent(Map.of("id", "1", "source", "/millrace/test", "type", "t"), "{\"name\":\"Länge $(id) `id`\"}");
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path folder;

    private ProgramDelivery program(final Duration limit, final String script, final String... arguments)
            throws IOException {
        final Path file = Files.writeString(folder.resolve("handler"), "#!/bin/bash\n" + script + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        final List<String> argv = new java.util.ArrayList<>(List.of(file.toString()));
        argv.addAll(List.of(arguments));
        return new ProgramDelivery("h", new Program(argv, SELF, limit), SELF);
    }

    private String written(final String name) throws IOException {
        return Files.readString(folder.resolve(name));
    }

    @Test
    void the_event_stands_on_standard_input_and_nothing_reaches_a_shell() throws Exception {
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
    void an_exit_code_is_a_failure_with_the_last_words() throws Exception {
        assertThat(program(LONG, "echo first; echo 'no room' >&2; exit 3").deliver(LETTER))
                .isEqualTo(new DeliveryResult.Failed("it ended with exit code 3: no room"));
    }

    @Test
    void a_program_that_reads_nothing_has_taken_the_event_if_it_says_so() throws Exception {
        final HandlerEvent large = new HandlerEvent(LETTER.attributes(), "\"" + "x".repeat(900_000) + "\"");

        assertThat(program(LONG, "exit 0").deliver(large)).isEqualTo(new DeliveryResult.Delivered());
    }

    @Test
    void a_flood_is_cut_and_counted() throws Exception {
        final DeliveryResult verdict =
                program(LONG, "head -c 5000000 /dev/zero | tr '\\0' x; exit 1").deliver(LETTER);

        final String because = ((DeliveryResult.Failed) verdict).because();
        assertThat(because)
                .hasSizeLessThan(2 * ProgramOutput.KEPT)
                .contains("… and " + (5_000_000 - ProgramOutput.KEPT) + " bytes more");
    }

    /** One child of the shell, one in a session of its own, one that lost its parents: none outlives the limit. */
    private static final String BROOD = """
            sleep 1000 & echo $! >> %1$s/pids
            setsid sleep 1000 & echo $! >> %1$s/pids
            ( setsid bash -c 'echo $$ >> %1$s/pids; exec sleep 1000' & )
            while [ $(wc -l < %1$s/pids) -lt 3 ]; do sleep 0.01; done
            """;

    @Test
    void at_the_limit_everything_it_started_is_ended() throws Exception {
        final ProgramDelivery hanging =
                program(Duration.ofSeconds(3), BROOD.formatted(folder) + "touch " + folder + "/brood; sleep 1000");

        assertThat(hanging.deliver(LETTER)).isEqualTo(new DeliveryResult.Failed("it ran longer than 3s"));
        assertNoneIsLeft();
    }

    @Test
    void what_it_leaves_behind_is_ended_too() throws Exception {
        assertThat(program(LONG, BROOD.formatted(folder) + "exit 0").deliver(LETTER))
                .isEqualTo(new DeliveryResult.Delivered());

        assertThat(written("pids").lines()).hasSize(3);
        assertNoneIsLeft();
    }

    /** Who leaves the session and wipes the environment stays, but holds nothing up, though it holds our pipes. */
    @Test
    void what_escapes_its_end_holds_up_no_further_event() throws Exception {
        final Path file = Files.writeString(
                folder.resolve("escaping"),
                "#!/bin/bash\n(env -i setsid bash -c 'echo $$ > " + folder + "/pids; exec sleep 1000' &)\n"
                        + "while [ ! -s " + folder + "/pids ]; do sleep 0.01; done\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        final Program escaping = new Program(List.of(file.toString()), SELF, LONG);
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
    void a_program_that_cannot_be_run_like_that_is_refused_at_the_start() {
        final Program missing = new Program(List.of("/nowhere/tell"), SELF, LONG);
        final Program unsaid = new Program(List.of("/bin/true"), null, LONG);
        final Program other = new Program(List.of("/bin/true"), "somebody-else", LONG);

        assertThatThrownBy(() -> new ProgramDelivery("h", missing, SELF)).hasMessageContaining("/nowhere/tell is not there");
        assertThatThrownBy(() -> new ProgramDelivery("h", unsaid, "root")).hasMessageContaining("say with 'user'");
        assertThatThrownBy(() -> new ProgramDelivery("h", other, "millrace")).hasMessageContaining("only root can");
        assertThatThrownBy(() -> new ProgramDelivery("h", other, "root")).hasMessageContaining("no user 'somebody-else'");
    }
}
