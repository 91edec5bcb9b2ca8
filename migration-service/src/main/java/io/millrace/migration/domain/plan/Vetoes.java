package io.millrace.migration.domain.plan;

import io.millrace.migration.domain.cluster.TargetCluster;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.job.GlobalJob;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The first veto of an ordered list of rules. Answers are remembered within the pass: those about a request by request and cluster until
 * something is promised there, those about an owner by owner, partition and cluster.
 */
final class Vetoes {

    private record Indexed<R>(int index, R rule) {}

    /** The first veto of some of the rules; {@code index} is that of its rule. */
    private record First(int index, Optional<Veto> veto) {

        static final First NONE = new First(Integer.MAX_VALUE, Optional.empty());
    }

    private record Known(int promises, First first) {}

    private record Payer(UserName owner, @Nullable PartitionName partition) {}

    private final List<Indexed<VetoRule.OfRequest>> ofRequest = new ArrayList<>();
    private final List<Indexed<VetoRule.OfOwner>> ofOwner = new ArrayList<>();
    private final List<Indexed<VetoRule.OfJob>> ofJob = new ArrayList<>();
    private final Map<RequestShape, Map<ClusterId, Known>> requests = new HashMap<>();
    private final Map<Payer, Map<ClusterId, First>> owners = new HashMap<>();
    /** Whether any cluster has a veto about the owner. */
    private final Map<Payer, Boolean> vetoed = new HashMap<>();

    private final ToIntFunction<ClusterId> promises;

    /**
     * @param rules the first that vetoes gives the answer; one is asked only if those about requests before it do not veto
     * @param promises how often something was promised on a cluster in this pass
     */
    Vetoes(final List<VetoRule> rules, final ToIntFunction<ClusterId> promises) {
        this.promises = promises;
        for (int i = 0; i < rules.size(); i++) {
            switch (rules.get(i)) {
                case VetoRule.OfRequest rule -> ofRequest.add(new Indexed<>(i, rule));
                case VetoRule.OfOwner rule -> ofOwner.add(new Indexed<>(i, rule));
                case VetoRule.OfJob rule -> ofJob.add(new Indexed<>(i, rule));
            }
        }
    }

    /** The answers for one job, which requests this. */
    Answers of(final GlobalJob job, final RequestShape request) {
        return new Answers(
                job,
                request,
                requests.computeIfAbsent(request, r -> new HashMap<>()),
                new Payer(job.submission().owner(), request.partition()));
    }

    /** The answer of each cluster to one job. */
    final class Answers {
        private final GlobalJob job;
        private final RequestShape request;
        private final Map<ClusterId, Known> known;
        private final Payer payer;
        private final Map<ClusterId, First> ofPayer;
        private final List<Indexed<VetoRule.OfJob>> ofThisJob;

        private Answers(
                final GlobalJob job, final RequestShape request, final Map<ClusterId, Known> known, final Payer payer) {
            this.job = job;
            this.request = request;
            this.known = known;
            this.payer = payer;
            this.ofPayer = owners.computeIfAbsent(payer, p -> new HashMap<>());
            this.ofThisJob = ofJob.stream()
                    .filter(next -> next.rule.concerns().test(job))
                    .toList();
        }

        /** Whether every job with this request gets the same answers from these clusters, unless it has an owner or a history that matters. */
        boolean isCommon(final Collection<TargetCluster> clusters) {
            if (!ofThisJob.isEmpty()) {
                return false;
            }
            return !vetoed.computeIfAbsent(
                    payer,
                    p -> clusters.stream()
                            .anyMatch(cluster -> ofOwner(cluster).veto.isPresent()));
        }

        /** Why the cluster cannot start the job now; empty if it can. */
        Optional<Veto> on(final TargetCluster cluster) {
            final First request = ofRequest(cluster);
            final First owner = isAboutOwner(request) ? ofOwner(cluster) : First.NONE;
            final First first = owner.index < request.index ? owner : request;
            for (final Indexed<VetoRule.OfJob> next : ofThisJob) {
                if (next.index > first.index) {
                    break;
                }
                final Optional<Veto> veto = next.rule.rule().apply(job, cluster);
                if (veto.isPresent()) {
                    return veto;
                }
            }
            return first.veto;
        }

        /** Whether the rules about owners come before this answer. */
        private boolean isAboutOwner(final First request) {
            return !ofOwner.isEmpty() && ofOwner.getFirst().index < request.index;
        }

        private First ofRequest(final TargetCluster cluster) {
            final int now = promises.applyAsInt(cluster.id());
            final Known before = known.get(cluster.id());
            if (before != null && before.promises == now) {
                return before.first;
            }
            First first = First.NONE;
            for (final Indexed<VetoRule.OfRequest> next : ofRequest) {
                final Optional<Veto> veto = next.rule.veto(request, cluster);
                if (veto.isPresent()) {
                    first = new First(next.index, veto);
                    break;
                }
            }
            known.put(cluster.id(), new Known(now, first));
            return first;
        }

        private First ofOwner(final TargetCluster cluster) {
            final First before = ofPayer.get(cluster.id());
            if (before != null) {
                return before;
            }
            First first = First.NONE;
            for (final Indexed<VetoRule.OfOwner> next : ofOwner) {
                final Optional<Veto> veto = next.rule.veto(job.submission().owner(), request.partition(), cluster);
                if (veto.isPresent()) {
                    first = new First(next.index, veto);
                    break;
                }
            }
            ofPayer.put(cluster.id(), first);
            return first;
        }
    }
}
