package io.millrace.agent.slurm.command;

import io.millrace.agent.exec.CommandResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code sacctmgr --immediate}: one change in slurmdbd.
 *
 * @param arguments the arguments after the options
 */
public record Sacctmgr(SlurmSite site, List<String> arguments) implements ChangeCommand {

    /** Longer than twice MessageTimeout, for which sacctmgr tries to reach slurmdbd. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    public Sacctmgr {
        arguments = List.copyOf(arguments);
    }

    public static Sacctmgr of(final SlurmSite site, final String... arguments) {
        return new Sacctmgr(site, List.of(arguments));
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of("sacctmgr", "--immediate"));
        argv.addAll(arguments);
        return argv;
    }

    @Override
    public Duration limit() {
        return LIMIT;
    }

    /** sacctmgr also exits with 1 if there was nothing to change; it then prints no error. */
    @Override
    public boolean refused(final CommandResult result) {
        return !result.errorText().isEmpty() || (!result.succeeded() && !changedNothing(result));
    }

    private static boolean changedNothing(final CommandResult result) {
        return result.outputText().strip().matches("Nothing (new added|modified|deleted)\\.?");
    }

    @Override
    public String summary() {
        return "sacctmgr " + String.join(" ", arguments);
    }
}
