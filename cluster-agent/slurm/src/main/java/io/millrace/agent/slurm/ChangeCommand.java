package io.millrace.agent.slurm;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.Map;

/** A command that changes something and says nothing when it has. */
interface ChangeCommand extends CommandLine<Accepted> {

    SlurmSite site();

    /** What it did, for people. */
    String summary();

    @Override
    default Map<String, String> environment() {
        return site().changeEnvironment();
    }

    /** Longer than Slurm itself tries to reach slurmctld (MessageTimeout), so that "it is down" is heard and not guessed. */
    @Override
    default Duration limit() {
        return Duration.ofSeconds(15);
    }

    /** Whether it was refused: scontrol complains and exits with 0 all the same, so its silence is what counts. */
    default boolean refused(final CommandResult result) {
        return !result.succeeded() || !result.complaint().isEmpty();
    }

    @Override
    default Answer<Accepted> read(final CommandResult result) {
        if (!refused(result)) {
            return Answer.ok(new Accepted(summary()));
        }
        final Answer<Accepted> trouble =
                SlurmErrors.of("'" + String.join(" ", argv().subList(0, 2)) + "'", result, Answer.Kind.REJECTED);
        return trouble instanceof Answer.Trouble<Accepted> denied && denied.kind() == Answer.Kind.DENIED
                ? Answer.trouble(denied.kind(), denied.because() + "; " + RequiredPrivilege.MISSING)
                : trouble;
    }
}
