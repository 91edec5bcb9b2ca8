package io.millrace.agent.slurm;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code sacctmgr --immediate}: what Millrace changes in slurmdbd, each change one command line.
 *
 * @param words what follows the options
 */
record Sacctmgr(SlurmSite site, List<String> words) implements ChangeCommand {

    /** Longer than it tries to reach slurmdbd (MessageTimeout, twice). */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    Sacctmgr {
        words = List.copyOf(words);
    }

    static Sacctmgr of(final SlurmSite site, final String... words) {
        return new Sacctmgr(site, List.of(words));
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of("sacctmgr", "--immediate"));
        argv.addAll(words);
        return argv;
    }

    @Override
    public Duration limit() {
        return LIMIT;
    }

    /** It exits with 1 also when there was nothing to do; then it says so and complains of nothing. */
    @Override
    public boolean refused(final CommandResult result) {
        return !result.complaint().isEmpty() || (!result.succeeded() && !changedNothing(result));
    }

    private static boolean changedNothing(final CommandResult result) {
        return result.outputText().strip().matches("Nothing (new added|modified|deleted)\\.?");
    }

    @Override
    public String summary() {
        return "sacctmgr " + String.join(" ", words);
    }

    /** A question to slurmdbd. */
    interface Query<T> extends CommandLine<T> {

        SlurmSite site();

        @Override
        default Map<String, String> environment() {
            return site().queryEnvironment();
        }

        @Override
        default Duration limit() {
            return LIMIT;
        }
    }
}
