package io.millrace.agent.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.exec.UserSwitch;
import io.millrace.agent.run.MakeScript;
import io.millrace.agent.run.WorkDirectories;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The places where programs of users start. */
class NothingRunsAsRootTest {

    @TempDir
    Path folder;

    private Session.Exit run(final List<String> prefix) throws InterruptedException {
        TestAccounts.letIn(folder);
        TestAccounts.give(folder);
        final Sessions sessions = new Sessions(folder.resolve("bin"));
        final Program program = new Program(
                List.of("/usr/bin/touch", "ran"),
                prefix,
                Map.of(),
                Program.BaseEnvironment.EMPTY,
                folder.toString(),
                Program.TO_THE_LOG,
                Duration.ofMinutes(1));
        final Path run = folder.resolve("run");
        sessions.prepare(run, program);
        return WorkDirectories.await(sessions.launch(run, program));
    }

    @Test
    void a_session_that_would_run_as_root_starts_no_program() throws InterruptedException {
        assumeTrue(new Accounts().own().uid() == 0, "needs root");
        assertThat(run(List.of()).status()).isEqualTo(126);
        assertThat(folder.resolve("ran")).doesNotExist();
        assertThat(new Session(folder.resolve("run")).logTail()).contains("runs nothing as root");
    }

    @Test
    void a_session_of_an_ordinary_account_runs() throws InterruptedException {
        assertThat(run(UserSwitch.prefix(new Accounts().own(), TestAccounts.ordinary()))
                        .status())
                .isZero();
        assertThat(folder.resolve("ran")).exists();
    }

    @Test
    void another_name_of_root_runs_no_command() {
        final Account own = new Accounts().own();
        final Accounts accounts = new Accounts(name ->
                Optional.of(name.equals("toor") ? new Account(UserName.of("toor"), 0, 0, "/root", "/bin/sh") : own));
        final Answer<?> answer = new MakeScript(folder.toString(), "made", "#!/bin/sh\n")
                .write(new ProcessRunner(accounts).as(UserName.of("toor")));
        assertThat(answer)
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.reason()).contains("'toor' has uid 0"));
        assertThat(Files.exists(folder.resolve("made"))).isFalse();
    }
}
