package io.millrace.agent.slurm.command;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.Map;

/** A command that changes something and prints no error on success. */
public interface ChangeCommand extends CommandLine<Accepted> {

    SlurmSite site();

    /** What the command did, for the operator. */
    String summary();

    @Override
    default Map<String, String> environment() {
        return site().changeEnvironment();
    }

    /** Longer than MessageTimeout, so that the command itself reports an unreachable slurmctld. */
    @Override
    default Duration limit() {
        return Duration.ofSeconds(15);
    }

    /** Whether the command was rejected. scontrol exits with 0 on some errors, so any error output counts. */
    default boolean refused(final CommandResult result) {
        return !result.succeeded() || !result.errorText().isEmpty();
    }

    @Override
    default Answer<Accepted> read(final CommandResult result) {
        if (!refused(result)) {
            return Answer.ok(new Accepted(summary()));
        }
        final Answer<Accepted> trouble =
                SlurmErrors.of("'" + String.join(" ", argv().subList(0, 2)) + "'", result, Answer.Kind.REJECTED);
        return trouble instanceof Answer.Trouble<Accepted> denied && denied.kind() == Answer.Kind.DENIED
                ? Answer.trouble(denied.kind(), denied.reason() + "; " + RequiredPrivilege.MISSING)
                : trouble;
    }
}
