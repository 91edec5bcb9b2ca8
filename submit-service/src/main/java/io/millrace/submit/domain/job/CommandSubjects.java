package io.millrace.submit.domain.job;

import io.millrace.model.GlobalJobId;
import io.millrace.model.command.Action;
import io.millrace.model.command.Outcome;
import io.millrace.model.command.Result;
import java.util.LinkedHashSet;
import java.util.Set;

/** The jobs that a command is about; {@code why} shows the command for each of them. */
public final class CommandSubjects {

    private CommandSubjects() {}

    /** Keys of local jobs and ids of global jobs. */
    public static Set<String> of(final Action action) {
        return switch (action) {
            case Action.OnJob a -> Set.of(a.subject());
            case Action.OnAttempt a -> Set.of(a.attempt().job().value());
            case Action.OnTransfer a -> ofText(a.subject());
            case Action.Reclaim a -> {
                final Set<String> all = new LinkedHashSet<>();
                all.add(a.beneficiary().toString());
                a.victims().forEach(victim -> all.add(victim.toString()));
                yield all;
            }
            case Action.SetLimit a -> Set.of();
        };
    }

    /** Also the jobs that a reclaim preempted from its reserve. */
    public static Set<String> of(final Outcome outcome) {
        final Set<String> all = new LinkedHashSet<>(ofText(outcome.subject()));
        if (outcome.result() instanceof Result.Done done && done.preempted() != null) {
            done.preempted().forEach(victim -> all.add(victim.toString()));
        }
        return all;
    }

    /** {@code cluster/id@time} is a local job; {@code ULID.n} and {@code ULID.n/upload} belong to a global job. */
    public static Set<String> ofText(final String subject) {
        if (subject.indexOf('@') >= 0) {
            return Set.of(subject);
        }
        final int dot = subject.indexOf('.');
        final String id = dot < 0 ? subject : subject.substring(0, dot);
        try {
            return Set.of(GlobalJobId.of(id).value());
        } catch (IllegalArgumentException e) {
            return Set.of(); // another kind of subject
        }
    }
}
