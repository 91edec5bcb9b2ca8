package io.millrace.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.checkpoint.MarkerFileQuery;
import io.millrace.agent.session.LoginUmask;
import io.millrace.agent.wlm.DamagedOutput;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Text that users can write, such as the output of their login scripts, is read or is trouble, but never an error. */
class DamagedTextTest {

    @Test
    void the_umask_of_a_login_session_is_read_from_any_output() {
        DamagedOutput.survives(
                "0022\n", List.of("0", "\n0"), text -> new LoginUmask().read(CommandResult.of(0, text, text)));
    }

    @Test
    void the_marker_of_a_checkpoint_is_read_from_any_output() {
        DamagedOutput.survives(
                "64768:1234 10 1795181557.123456789",
                List.of("1:", "1."),
                text -> new MarkerFileQuery("/home/anna/marker").read(CommandResult.of(0, text, "")));
    }

    @Test
    void an_error_message_of_any_form_is_shortened_to_one_line() {
        DamagedOutput.survives(
                "qstat: Unknown Job Id 1.vm\nqstat: again\n",
                List.of(" \n", "\r"),
                text -> assertThat(CommandResult.of(1, "", text).errorText())
                        .hasSizeLessThanOrEqualTo(501)
                        .doesNotContain("\n"));
    }

    @Test
    void the_end_of_a_remote_command_is_found_in_any_output() {
        final RemoteCommandLine<?> command = new RemoteCommandLine<>(List.of("ssh", "head"), null, new LoginUmask());
        DamagedOutput.survives(
                "\0millrace-begun\n0022\n\0millrace-exit=0\n",
                List.of("\0millrace-exit=1", "\0"),
                text -> command.read(new CommandResult(
                        0, text.getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8))));
    }
}
