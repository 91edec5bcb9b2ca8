package io.millrace.model.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The budget consumption of a user's runs for a project on a cluster: sums of the ledger, and reservations of running jobs.
 *
 * @param project null: jobs that name none
 * @param reserved by running jobs: cores (GPUs) x walltime limit at the tariff
 * @param spent by period, the current and the one before of each kind
 */
public record Charges(
        ClusterId cluster, UserName user, @Nullable ProjectName project, ProcessorTime reserved, List<Spent> spent)
        implements Event {

    /** @param period {@code 2026-W47}, {@code 2026-11}, {@code 2026} */
    public record Spent(String period, ProcessorTime amount) {}

    public Charges {
        spent = List.copyOf(spent);
    }

    /** Beside the keys {@code cluster/user} of the same topic, which have one slash. */
    @Override
    public String key() {
        return new UsageKey.Charged(cluster, user, project).toString();
    }
}
