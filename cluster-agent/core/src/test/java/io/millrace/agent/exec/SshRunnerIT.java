package io.millrace.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.PrivateSshd;
import io.millrace.model.UserName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real {@code millrace-remote} as the forced command of a real sshd, as an ordinary user. */
class SshRunnerIT {

    @TempDir
    static Path folder;

    private static PrivateSshd sshd;
    private static Runner remote;

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

    /** The same with another limit. */
    private record Brief(CommandLine<CommandResult> command, Duration limit) implements CommandLine<CommandResult> {
        @Override
        public List<String> argv() {
            return command.argv();
        }

        @Override
        public Answer<CommandResult> read(final CommandResult result) {
            return command.read(result);
        }
    }

    @BeforeAll
    static void an_sshd_knows_the_forced_command() throws IOException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        final Path script = folder.resolve("millrace-remote");
        Files.copy(source(), script);
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("r-xr-xr-x"));
        sshd = new PrivateSshd(folder);
        sshd.force((isRoot() ? "setpriv --reuid=65534 --regid=65534 --clear-groups -- " : "") + "bash " + script);
        remote = remote(new ProcessRunner(new Accounts()));
    }

    @AfterAll
    static void it_ends() {
        if (sshd != null) {
            sshd.close();
        }
    }

    private static boolean isRoot() {
        return new Accounts().own().uid() == 0;
    }

    private static Runner remote(final Runner here) {
        return new SshRunner(here, sshd.destination(System.getProperty("user.name")));
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
        final List<String> words = new ArrayList<>(List.of("mkdir", "--"));
        hostile.forEach(name -> words.add(own + "/" + name));
        assertThat(remote.run(new Say(words, Map.of(), new byte[0])).get().exit())
                .isZero();
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
        assertThat(missing.errorText()).contains("No such file").doesNotContain("millrace-exit");
    }

    @Test
    void nothing_but_the_listed_programs_is_executed() {
        for (final String program : List.of("bash", "sh", "/bin/sh", "../bin/sh", "env", "rm", "", "cat; sh")) {
            denied(remote.run(new Say(program, "-c", "touch pwned")), "is not one that the agent may run here");
        }
        for (final List<String> writing : List.of(
                List.of("tee", folder + "/x"),
                List.of("mv", folder + "/a", folder + "/b"),
                List.of("find", "/", "-exec", "touch", folder + "/pwned", ";"),
                List.of("dd", "of=" + folder + "/x"))) {
            denied(
                    remote.run(new Say(writing, Map.of(), new byte[0])),
                    "is not one that the agent may run here in this way");
        }
        assertThat(folder.resolve("pwned")).doesNotExist();
    }

    @Test
    void no_variable_but_those_of_workload_managers_gets_through() {
        for (final String name : List.of("LD_PRELOAD", "PATH", "BASH_ENV", "IFS", "SLURM_CONF;x")) {
            denied(
                    remote.run(new Say(List.of("cat"), Map.of(name, "/tmp/x"), new byte[0])),
                    "is not one of a workload manager");
        }
        assertThat(remote.run(new Say(List.of("cat"), Map.of("SLURM_CONF", "/etc/x y"), new byte[0]))
                        .get()
                        .exit())
                .isZero();
    }

    @Test
    void no_user_gets_the_rights_of_root_or_of_a_system_account() {
        for (final String user : List.of("root", "daemon", "no-such-user-here")) {
            denied(remote.as(UserName.of(user)).run(new Say("cat")), user);
        }
    }

    @Test
    void words_of_ssh_itself_are_refused_before_any_shell_sees_them() throws Exception {
        final List<String> words = new ArrayList<>(
                sshd.destination(System.getProperty("user.name")).words());
        words.add("cat; touch " + folder.resolve("pwned"));
        assertThat(new ProcessRunner(new Accounts())
                        .run(new Say(words, Map.of(), new byte[0]))
                        .get()
                        .errorText())
                .contains("the command comes on standard input");
        assertThat(folder.resolve("pwned")).doesNotExist();
    }

    @Test
    void a_remote_program_ends_at_its_limit_and_the_answer_reports_it() {
        final Answer<CommandResult> late =
                remote.run(new Brief(new Say("tail", "--follow", "--", "/dev/null"), Duration.ofSeconds(1)));
        assertThat(late)
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.TIMEOUT));
        awaitEnd("tail --follow -- /dev/null");
    }

    private static void awaitEnd(final String words) {
        ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.endsWith(words))
                        .isPresent())
                .forEach(process ->
                        process.onExit().orTimeout(5, TimeUnit.MINUTES).join());
    }

    @Test
    void more_output_than_the_cap_is_no_answer() {
        final Runner tight = remote(new ProcessRunner(new Accounts(), 1024 * 1024));
        final byte[] tooMuch = new byte[3 * 1024 * 1024];
        assertThat(tight.run(new Say(List.of("cat"), Map.of(), tooMuch)))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.UNREADABLE);
                    assertThat(trouble.reason()).contains("more than 1 MiB");
                });
    }

    @Test
    void a_way_that_does_not_lead_there_did_nothing() {
        final String me = System.getProperty("user.name");
        final Path empty = Path.of("/dev/null");
        final List<SshDestination> nowhere = List.of(
                sshd.destination(me, 1, sshd.key(), sshd.knownHosts()),
                sshd.destination(me, sshd.port(), sshd.key(), empty),
                sshd.destination(me, sshd.port(), empty, sshd.knownHosts()));
        for (final SshDestination way : nowhere) {
            assertThat(new SshRunner(new ProcessRunner(new Accounts()), way).run(new Say("squeue")))
                    .isInstanceOfSatisfying(
                            Answer.Trouble.class,
                            trouble -> assertThat(trouble.kind())
                                    .as(trouble.reason())
                                    .isEqualTo(Answer.Kind.DOWN));
        }
    }

    @Test
    void a_request_that_breaks_off_runs_nothing() {
        final List<String> ssh =
                sshd.destination(System.getProperty("user.name")).words();
        final String words = "millrace-3\0005\000\000\000\000\000\000/\0000\0001\000cat\000";
        for (final String half : List.of(
                "millrace-3\0005\000\000\000\000\000\000/\0000\0002\000mkdir\000",
                words,
                words + "20\000",
                words + "20\000#!/bin/sh\nrm -rf")) {
            final CommandResult answer = new ProcessRunner(new Accounts())
                    .run(new Say(ssh, Map.of(), half.getBytes(StandardCharsets.UTF_8)))
                    .get();
            assertThat(answer.errorText()).contains("the request broke off").doesNotContain("millrace-begun");
            assertThat(answer.output()).isEmpty();
        }
    }

    private static void denied(final Answer<CommandResult> answer, final String because) {
        assertThat(answer).isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
            assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED);
            assertThat(trouble.reason()).contains(because);
        });
    }
}
