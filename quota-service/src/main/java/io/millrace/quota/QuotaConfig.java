package io.millrace.quota;

import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.preemption.PreemptionLimits;
import io.millrace.quota.domain.preemption.UpqppRules;
import io.millrace.quota.domain.preemption.VictimOrder;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.quota.domain.quota.ProcessorHourLimits;
import io.millrace.quota.domain.quota.ProcessorHourRules;
import io.millrace.quota.domain.view.QuotaPolicy;
import io.millrace.quota.files.BudgetFile;
import io.millrace.quota.files.LimitsFile;
import io.millrace.quota.files.PreemptionFile;
import io.millrace.quota.files.QuotaFile;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The settings of quota-service. */
@ConfigMapping(prefix = "millrace.quota")
public interface QuotaConfig {

    /** YAML file with the site's quotas ({@code quotas: {cluster: {user: cores}}}), merged when the service starts. */
    Optional<Path> file();

    /** YAML file with the weights of priorities, merged when the service starts. */
    Optional<Path> priorityFile();

    /** Quota, in cores, of users without a quota. */
    @WithDefault("0")
    int defaultCores();

    /** Rules of UPQPP: default, or paper (exactly as published; see the guide). */
    @WithDefault("default")
    Mode mode();

    /**
     * Which job is preempted first: newest-first, oldest-first, fewest-cores-first, most-cores-first, least-loss or
     * smallest-sufficient-first.
     */
    @WithDefault("newest-first")
    VictimOrder victims();

    /** A job that has run for less is not preempted. */
    @WithDefault("0s")
    Duration protectedRun();

    /** Requeues, for any reason, after which a job is no longer preempted; unset: no limit. */
    OptionalInt preemptionsPerJob();

    /** Maximum number of reclaims on one cluster within an hour; unset: no limit. */
    OptionalInt reclaimsPerHour();

    /** YAML file with the preemption modes and the table of delays (see the guide); unset: checkpoint or requeue, no delays. */
    Optional<Path> preemptionFile();

    /** Libconfig file with the limits of processor time (see the guide); unset: only those that requests set. */
    Optional<Path> limitsFile();

    /** YAML file with the site's budgets (see the guide); unset: only those that requests set. */
    Optional<Path> budgetsFile();

    /** Whether a running job counts with its remaining time instead of its requested walltime. */
    @WithDefault("false")
    boolean countRemaining();

    /** Whether a released waiting job counts on other clusters before it starts. */
    @WithDefault("false")
    boolean countQueued();

    /** Whether a job may start before an older job of the same user that does not fit within the limit. */
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
        final PreemptionFile.Rules preemption =
                preemptionFile().map(PreemptionFile::read).orElse(PreemptionFile.Rules.DEFAULT);
        final PreemptionLimits preemptionLimits = new PreemptionLimits(
                protectedRun(),
                preemptionsPerJob().orElse(Integer.MAX_VALUE),
                reclaimsPerHour().orElse(Integer.MAX_VALUE),
                preemption.delays());
        final ProcessorHourLimits limits =
                limitsFile().map(file -> LimitsFile.read(file, memberships())).orElse(ProcessorHourLimits.NONE);
        return new QuotaPolicy(
                mode().rules,
                victims(),
                preemptionLimits,
                preemption.modes(),
                new ProcessorHourRules(limits, countRemaining(), countQueued(), limitOvertaking()));
    }

    /** @throws IllegalArgumentException if the file has an error; names line and column */
    default BudgetRules budgets() {
        return budgetsFile().map(file -> BudgetFile.read(file, memberships())).orElse(BudgetRules.NONE);
    }

    /** @throws IllegalArgumentException if the quota file has an error */
    private GroupMemberships memberships() {
        return GroupMemberships.of(
                file().map(QuotaFile::read).map(QuotaFile::groups).orElse(List.of()));
    }
}
