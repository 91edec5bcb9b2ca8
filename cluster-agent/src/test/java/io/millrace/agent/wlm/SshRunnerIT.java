package io.millrace.agent.wlm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.UserName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real {@code millrace-remote} behind a pipe in place of ssh, as an ordinary user. */
class SshRunnerIT {

    @TempDir
    Path folder;

    private Runner remote;

    private record Say(List<String> argv, Map<String, String> environment, byte[] input)
            implements CommandLine<CommandResult> {

        Say(final String... argv) {
            this(List.of(argv), Map.of(), new byte[0]);
        }

        @Override
        public Answer<CommandResult> read(final CommandResult result) {
            return Answer.ok(result);
        }
    }

    @BeforeEach
    void lay_down_the_forced_command() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        final Path script = folder.resolve("millrace-remote");
        Files.copy(source(), script);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("r-xr-xr-x"));
        final Accounts accounts = new Accounts();
        final List<String> words = new ArrayList<>();
        if (accounts.own().uid() == 0) {
            words.addAll(List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"));
        }
        words.addAll(List.of("bash", script.toString()));
        remote = new SshRunner(new ProcessRunner(accounts), words);
    }

    private static Path source() {
        Path at = Path.of("").toAbsolutePath();
        while (!Files.exists(at.resolve("deploy/agent/millrace-remote"))) {
            at = at.getParent();
        }
        return at.resolve("deploy/agent/millrace-remote");
    }

    @Test
    void words_arrive_as_they_are_whatever_they_hold() throws IOException {
        final Path own = Files.createDirectory(folder.resolve("own"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxrwxrwx"));
        final List<String> hostile = List.of(
                "; touch pwned",
                "$(touch pwned)",
                "`touch pwned`",
                "a' \"b\" \\ $HOME *",
                "two\nlines",
                "größe 温度",
                "-rf",
                "&& touch pwned #",
                " ");
        for (final String name : hostile) {
            assertThat(remote.run(new Say("mkdir", "--", own + "/" + name))
                            .get()
                            .exit())
                    .as(name)
                    .isZero();
        }
        try (Stream<Path> made = Files.list(own)) {
            assertThat(made.map(path -> path.getFileName().toString())).containsExactlyInAnyOrderElementsOf(hostile);
        }
    }

    @Test
    void input_and_output_pass_through_byte_for_byte_with_the_exit_code() {
        final byte[] bytes = new byte[5000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        final CommandResult cat =
                remote.run(new Say(List.of("cat"), Map.of(), bytes)).get();
        assertThat(cat.exit()).isZero();
        assertThat(cat.output()).isEqualTo(bytes);

        final CommandResult missing =
                remote.run(new Say("cat", "--", "/no/such/file")).get();
        assertThat(missing.exit()).isEqualTo(1);
        assertThat(missing.complaint()).contains("No such file").doesNotContain("millrace-exit");
    }

    @Test
    void nothing_but_the_listed_programs_is_executed() {
        for (final String program : List.of("bash", "sh", "/bin/sh", "../bin/sh", "env", "rm", "", "cat; sh")) {
            final CommandResult refused =
                    remote.run(new Say(program, "-c", "touch pwned")).get();
            assertThat(refused.exit()).as(program).isEqualTo(126);
            assertThat(refused.complaint()).contains("is not one that the agent may run here");
        }
    }

    @Test
    void no_variable_but_those_of_workload_managers_gets_through() {
        for (final String name : List.of("LD_PRELOAD", "PATH", "BASH_ENV", "IFS", "SLURM_CONF;x")) {
            assertThat(remote.run(new Say(List.of("cat"), Map.of(name, "/tmp/x"), new byte[0]))
                            .get()
                            .exit())
                    .as(name)
                    .isEqualTo(126);
        }
        assertThat(remote.run(new Say(List.of("cat"), Map.of("SLURM_CONF", "/etc/x y"), new byte[0]))
                        .get()
                        .exit())
                .isZero();
    }

    @Test
    void nobody_gets_the_rights_of_root_or_of_the_system() {
        for (final String user : List.of("root", "daemon", "no-such-user-here")) {
            final CommandResult refused =
                    remote.as(UserName.of(user)).run(new Say("cat")).get();
            assertThat(refused.exit()).as(user).isEqualTo(126);
            assertThat(refused.complaint()).contains(user);
        }
    }

    @Test
    void a_way_that_does_not_lead_there_is_trouble_of_the_way_and_not_an_answer() {
        final Runner nowhere = new SshRunner(new ProcessRunner(new Accounts()), List.of("bash", "-c", "exit 255"));
        assertThat(nowhere.run(new Say("squeue")))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.DOWN));
        assertThatThrownBy(() -> new SshRunner(new ProcessRunner(new Accounts()), "-oProxyCommand=x", List.of()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_request_that_breaks_off_runs_nothing() {
        final Runner here = new ProcessRunner(new Accounts());
        final List<String> words = new ArrayList<>(
                new Accounts().own().uid() == 0
                        ? List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")
                        : List.of());
        words.addAll(List.of("bash", folder.resolve("millrace-remote").toString()));
        final byte[] half = "millrace-1\0005\000\000/\0000\0002\000mkdir\000".getBytes(StandardCharsets.UTF_8);
        assertThat(here.run(new Say(words, Map.of(), half)).get().complaint()).contains("the request broke off");
    }
}
