package io.millrace.agent.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.agent.exec.UserSwitch;
import io.millrace.agent.wlm.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's own umask is 0077 in all tests. */
class LoginUmaskTest {

    @TempDir
    private Path home;

    @BeforeEach
    void an_account_of_bash() throws IOException {
        TestAccounts.letIn(home);
        TestAccounts.give(home);
        account("Anna", "/bin/bash");
    }

    @Test
    void the_profile_of_the_owner_sets_the_umask() throws Exception {
        profile("umask 007");

        assertThat(loginUmask()).isEqualTo(Answer.ok("0007"));
    }

    @Test
    void output_of_the_profile_is_not_read_as_the_umask() throws Exception {
        profile("echo welcome; echo 0777; umask 027");

        assertThat(loginUmask()).isEqualTo(Answer.ok("0027"));
    }

    @Test
    void the_gecos_field_sets_the_umask_if_the_profile_does_not() throws Exception {
        account("Anna,,,,umask=002", "/bin/bash");

        assertThat(loginUmask()).isEqualTo(Answer.ok("0002"));
    }

    @Test
    void without_either_it_is_the_one_of_this_system_and_not_the_agents() throws Exception {
        profile("");

        assertThat(loginUmask()).isNotEqualTo(Answer.ok("0077")).isInstanceOf(Answer.Ok.class);
    }

    @Test
    void an_owner_with_another_shell_gets_the_umask_of_the_profile_that_all_shells_read() throws Exception {
        account("Anna", "/bin/tcsh");
        profile("umask 037");

        assertThat(loginUmask()).isEqualTo(Answer.ok("0037"));
    }

    @Test
    void a_profile_that_ends_the_shell_is_an_error_and_not_a_umask() throws Exception {
        profile("exit 3");

        assertThat(loginUmask()).isInstanceOf(Answer.Trouble.class);
    }

    @Test
    void the_output_of_a_program_is_created_with_the_umask_of_its_owner() throws Exception {
        profile("umask 026");

        final CommandResult result = become(
                List.of(home.toString(), home + "/job.out", "login", "sh", "-c", "echo result; : >file; mkdir folder"));

        assertThat(result.exit()).isZero();
        assertThat(Files.readString(home.resolve("job.out"))).isEqualTo("result\n");
        assertThat(mode("job.out")).isEqualTo("rw-r-----");
        assertThat(mode("file")).isEqualTo("rw-r-----");
        assertThat(mode("folder")).isEqualTo("rwxr-x--x");
    }

    @Test
    void a_program_whose_output_file_cannot_be_opened_does_not_start() throws Exception {
        final CommandResult result =
                become(List.of(home.toString(), home + "/missing/job.out", "login", "touch", home + "/started"));

        assertThat(result.exit()).isEqualTo(126);
        assertThat(result.errorText()).contains("missing/job.out");
        assertThat(home.resolve("started")).doesNotExist();
    }

    private Answer<String> loginUmask() throws IOException, InterruptedException {
        final LoginUmask command = new LoginUmask();
        return command.read(become(command.argv().subList(4, command.argv().size())));
    }

    private CommandResult become(final List<String> arguments) throws IOException, InterruptedException {
        final List<String> argv = new ArrayList<>(UserSwitch.prefix(new Accounts().own(), TestAccounts.ordinary()));
        argv.addAll(
                List.of("bash", "-c", "umask 077; exec bash -c \"$@\"", "agent", Sessions.script("become"), "become"));
        argv.addAll(arguments);
        final Path errors = home.resolve("errors");
        final ProcessBuilder builder = new ProcessBuilder(argv)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectError(errors.toFile());
        builder.environment().put("PATH", home + ":/usr/local/bin:/usr/bin:/bin");
        final Process process = builder.start();
        final byte[] output = process.getInputStream().readAllBytes();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new CommandResult(process.exitValue(), output, Files.readAllBytes(errors));
    }

    private void account(final String gecos, final String shell) throws IOException {
        final Path getent = home.resolve("getent");
        Files.writeString(getent, "#!/bin/sh\necho 'anna:x:1500:1500:" + gecos + ":" + home + ":" + shell + "'\n");
        Files.setPosixFilePermissions(getent, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private void profile(final String text) throws IOException {
        Files.writeString(home.resolve(".profile"), text + "\n", StandardCharsets.UTF_8);
    }

    private String mode(final String file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(home.resolve(file)));
    }
}
