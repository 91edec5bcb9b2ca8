package io.millrace.quota;

import io.millrace.model.Backoff;
import io.millrace.model.view.RetryPolicy;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.UpqppRules;
import io.millrace.quota.domain.preemption.VictimOrder;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import io.millrace.quota.domain.quota.QuotaFileContent;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.files.BudgetFile;
import io.millrace.quota.files.LimitsFile;
import io.millrace.quota.files.PreemptionFile;
import io.millrace.quota.files.QuotaFile;
import io.millrace.quota.files.SiteGroups;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The settings of quota-service. */
@ConfigMapping(prefix = "millrace.quota")
public interface QuotaConfig {

    /** YAML file with the site's quotas ({@code quotas: {cluster: {user: cores}}}), merged when the service starts to decide. */
    Optional<Path> file();

    /** YAML file with the weights of priorities, merged when the service starts to decide. */
    Optional<Path> priorityFile();

    /** Cores guaranteed to whoever has no quota. */
    @WithDefault("0")
    int defaultCores();

    /** Which rules of UPQPP hold: default, or paper (word for word as published; see the guide). */
    @WithDefault("default")
    Mode mode();

    /**
     * Whose job is taken first: newest-first, oldest-first, fewest-cores-first, most-cores-first, least-loss or
     * smallest-sufficient-first.
     */
    @WithDefault("newest-first")
    VictimOrder victims();

    /** How long a reclaim may wait for its agent; at most an hour. */
    @WithDefault("2m")
    Duration reclaimValidity();

    /** A cluster whose newest revision is older than this is silent: nothing is taken there. */
    @WithDefault("2m")
    Duration silentAfter();

    /** Pause after a reclaim that failed; doubles with each further failure. */
    @WithDefault("30s")
    Duration firstPause();

    /** The longest such pause. */
    @WithDefault("15m")
    Duration longestPause();

    /** A job that has run for less is not taken. */
    @WithDefault("0s")
    Duration protectedRun();

    /** A job that was put back so often, for whatever reason, is left alone from then on; unset: no limit. */
    OptionalInt preemptionsPerJob();

    /** Most reclaims on one cluster within an hour; unset: no limit. */
    OptionalInt reclaimsPerHour();

    /** YAML file: how victims leave their cores, and the table of delays (see the guide); unset: checkpoint or requeue. */
    Optional<Path> preemptionFile();

    /** How long a job waits before others give way to it, if no row of the table of delays is for it. */
    @WithDefault("0s")
    Duration delay();

    /** Added to the delay for each core that the job asks for. */
    @WithDefault("0s")
    Duration delayPerCore();

    /** The longest such delay. */
    @WithDefault("1h")
    Duration longestDelay();

    /** Limits of processor-hours asked for at once ({@code limits = { default…; users…; groups… };}, libconfig); unset: none. */
    Optional<Path> limitsFile();

    /** Older place of the members of groups; now {@code groups:} of the quota file says them. Refused if both do. */
    Map<String, Set<String>> groups();

    /** YAML file with the site's budgets (see the guide); unset: none. */
    Optional<Path> budgetsFile();

    /** Whether a running job counts with the time it has left instead of the walltime it asked for. */
    @WithDefault("false")
    boolean countRemaining();

    /** Whether a waiting job that was let go counts on the other clusters before it starts. */
    @WithDefault("false")
    boolean countQueued();

    /** Whether a small job may pass an older one of the same user that does not fit into the limit. */
    @WithDefault("false")
    boolean limitOvertaking();

    /** The rules of UPQPP. */
    enum Mode {
        DEFAULT(UpqppRules.DEFAULT),
        PAPER(UpqppRules.PAPER);

        private final UpqppRules rules;

        Mode(final UpqppRules rules) {
            this.rules = rules;
        }
    }

    default QuotaPolicy policy() {
        final PreemptionLimits restraint = new PreemptionLimits(
                protectedRun(),
                preemptionsPerJob().orElse(Integer.MAX_VALUE),
                reclaimsPerHour().orElse(Integer.MAX_VALUE),
                delay(),
                delayPerCore(),
                longestDelay());
        final ProcessorHourLimits limits =
                limitsFile().map(file -> LimitsFile.read(file, memberships())).orElse(ProcessorHourLimits.NONE);
        final PreemptionFile.Rules preemption =
                preemptionFile().map(PreemptionFile::read).orElse(PreemptionFile.Rules.DEFAULT);
        return new QuotaPolicy(
                mode().rules,
                victims(),
                restraint.withDelaysFirst(preemption.delays()),
                preemption.modes(),
                new ProcessorHourRules(limits, countRemaining(), countQueued(), limitOvertaking()),
                reclaimValidity(),
                silentAfter(),
                new RetryPolicy(new Backoff(firstPause(), longestPause())));
    }

    /** @throws IllegalArgumentException if the file holds an error; says where */
    default BudgetRules budgets() {
        return budgetsFile().map(file -> BudgetFile.read(file, memberships())).orElse(BudgetRules.NONE);
    }

    /** @throws IllegalArgumentException if groups are named in two places, or the quota file holds an error */
    private GroupMemberships memberships() {
        return SiteGroups.of(
                file().map(QuotaFile::read).map(QuotaFileContent::groups).orElse(Map.of()), groups());
    }
}
