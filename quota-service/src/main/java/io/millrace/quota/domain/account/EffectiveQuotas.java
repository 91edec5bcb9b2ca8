package io.millrace.quota.domain.account;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.quota.domain.preemption.AccountKey;
import io.millrace.quota.domain.quota.ActiveQuotas;
import io.millrace.quota.domain.quota.CentreUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The quotas that apply on one cluster at one instant, with their balances.: to a job apply the quotas of its owner, its
 * project and the groups above both, on this cluster and on all. If there is none, the default applies.
 */
final class EffectiveQuotas {

    private final ClusterId cluster;
    private final ActiveQuotas activeQuotas;
    private final CentreUsage centre;
    private final Instant now;
    private final Map<String, QuotaBalance> cores = new HashMap<>();
    private final Map<String, QuotaBalance> gpus = new HashMap<>();
    private final Map<ProjectName, Boolean> counted = new HashMap<>();

    EffectiveQuotas(
            final ClusterId cluster, final ActiveQuotas activeQuotas, final CentreUsage centre, final Instant now) {
        this.cluster = cluster;
        this.activeQuotas = activeQuotas;
        this.centre = centre;
        this.now = now;
    }

    /** The account of a job. A project has its own account only if a quota applies to it. */
    AccountKey accountOf(final JobObserved job) {
        final ProjectName project = job.project();
        return new AccountKey(
                job.owner(),
                project != null && !activeQuotas.isPlain() && counted.computeIfAbsent(project, this::isCounted)
                        ? project
                        : null);
    }

    private boolean isCounted(final ProjectName project) {
        return !quotas(activeQuotas.groups().pathOf(QuotaHolder.of(project))).isEmpty();
    }

    Guarantee cores(final AccountKey accountKey) {
        final List<QuotaBalance> caps = caps(accountKey, this::coreBalance);
        return new Guarantee(caps.isEmpty() ? List.of(byDefault(accountKey)) : caps);
    }

    /** Only quotas that set GPUs count them. */
    Guarantee gpus(final AccountKey accountKey) {
        return new Guarantee(activeQuotas.isPlain() ? List.of() : caps(accountKey, this::gpuBalance));
    }

    /** The quotas of this cluster that limit lending. */
    List<QuotaBalance> lendingLimits() {
        return activeQuotas.isPlain()
                ? List.of()
                : activeQuotas.all().stream()
                        .filter(quota -> cluster.equals(quota.cluster())
                                && quota.allTerms().lendingLimit() != null)
                        .flatMap(quota -> coreBalance(quota).stream())
                        .toList();
    }

    private List<QuotaBalance> caps(final AccountKey accountKey, final Function<Quota, Optional<QuotaBalance>> cap) {
        return quotas(above(accountKey)).stream()
                .map(cap)
                .flatMap(Optional::stream)
                .toList();
    }

    /** The owner, the project, and the groups above both, without duplicates. */
    private Set<QuotaHolder> above(final AccountKey accountKey) {
        final Set<QuotaHolder> above =
                new LinkedHashSet<>(activeQuotas.groups().pathOf(QuotaHolder.of(accountKey.owner())));
        if (accountKey.project() != null) {
            above.addAll(activeQuotas.groups().pathOf(QuotaHolder.of(accountKey.project())));
        }
        return above;
    }

    private List<Quota> quotas(final Iterable<QuotaHolder> holders) {
        final List<Quota> found = new ArrayList<>();
        for (final QuotaHolder holder : holders) {
            add(activeQuotas.find(holder, cluster), found);
            if (activeQuotas.isCentreWide()) {
                add(activeQuotas.find(holder, null), found);
            }
        }
        return found;
    }

    private static void add(final @Nullable Quota quota, final List<Quota> found) {
        if (quota != null) {
            found.add(quota);
        }
    }

    private QuotaBalance byDefault(final AccountKey accountKey) {
        return cores.computeIfAbsent(
                "default/" + accountKey.owner(),
                key -> new QuotaBalance(activeQuotas.defaultCores(), null, QuotaTerms.NONE, 0, 0));
    }

    private Optional<QuotaBalance> coreBalance(final Quota quota) {
        return Optional.of(
                cores.computeIfAbsent(quota.key(), key -> cap(quota, quota.coresAt(now), CentreUsage.Use::cores)));
    }

    private Optional<QuotaBalance> gpuBalance(final Quota quota) {
        return quota.gpusAt(now)
                .map(size -> gpus.computeIfAbsent(quota.key(), key -> cap(quota, size, CentreUsage.Use::gpus)));
    }

    /** a quota of all clusters covers running jobs in the order of the cluster names, so that every cluster gets the same result. */
    private QuotaBalance cap(final Quota quota, final int size, final Function<CentreUsage.Use, Long> resource) {
        final QuotaHolder holder = quota.heldBy();
        if (quota.cluster() != null) {
            final String other = holder.kind() == QuotaHolder.Kind.USER ? null : holder.toString();
            return new QuotaBalance(size, other, quota.allTerms(), 0, 0);
        }
        final var earlier = centre.of(holder, activeQuotas.groups(), other -> other.compareTo(cluster) < 0);
        final var later = centre.of(holder, activeQuotas.groups(), other -> other.compareTo(cluster) > 0);
        return new QuotaBalance(
                size, holder + " on all clusters", QuotaTerms.NONE, resource.apply(earlier), resource.apply(later));
    }
}
