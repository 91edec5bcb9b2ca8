package io.millrace.agent.slurm.command;

import java.util.List;
import java.util.Locale;

/** {@code scontrol VERB IDS} for verbs whose only argument is a list of job ids. */
public record Scontrol(SlurmSite site, Verb verb, List<String> ids) implements ChangeCommand {

    public enum Verb {
        RELEASE,
        /** A hold that the owner may release. */
        UHOLD,
        REQUEUE,
        REQUEUEHOLD,
        SUSPEND,
        RESUME
    }

    public static Scontrol of(final SlurmSite site, final Verb verb, final String id) {
        return new Scontrol(site, verb, List.of(id));
    }

    @Override
    public List<String> argv() {
        return List.of("scontrol", verb.name().toLowerCase(Locale.ROOT), String.join(",", ids));
    }

    @Override
    public String summary() {
        return String.join(" ", argv());
    }
}
