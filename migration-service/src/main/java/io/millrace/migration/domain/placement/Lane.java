package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.PublishedPlans;
import io.millrace.migration.domain.job.JobFact;
import io.millrace.migration.domain.job.RequestShape;
import io.millrace.migration.domain.job.WaitingGroup;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Blocked groups that request the same and got the same answer from each cluster. What changes on a cluster changes the answer for all of
 * them or for none, so it is enough to ask for the group whose turn comes first. The explanation exists once, here.
 */
final class Lane {

    /**
     * What the groups of a lane share.
     *
     * @param owner null if the vetoes are the same for all owners
     */
    record Key(RequestShape shape, @Nullable UserName owner, List<Veto> vetoes) {}

    private record Position(GlobalJobId place, GlobalJobId first) {}

    private static final Comparator<Position> ORDER =
            Comparator.comparing(Position::place).thenComparing(Position::first);

    private final Key key;
    private final Map<ClusterId, String> codes;
    private final JobFact.Delayed delayed;
    private final TreeMap<Position, WaitingGroup> groups = new TreeMap<>(ORDER);

    Lane(final Key key) {
        this.key = key;
        this.codes = codes(key.vetoes());
        this.delayed = new JobFact.Delayed(summary(key.vetoes()));
    }

    static Map<ClusterId, String> codes(final List<Veto> vetoes) {
        return vetoes.stream()
                .collect(Collectors.toMap(
                        veto -> ClusterId.of(PublishedPlans.clusterOf(veto)), Lane::answer, (one, other) -> one));
    }

    /** What makes the answer of a cluster another one: the code, and who closed the cluster and why. */
    static String answer(final Veto veto) {
        return VetoCode.CLUSTER_FENCED.isOf(veto) || VetoCode.CLUSTER_DRAINED.isOf(veto) ? veto.reason() : veto.code();
    }

    /** The obstacle on each cluster, in few words. */
    private static String summary(final List<Veto> vetoes) {
        return "no cluster can run it now: "
                + vetoes.stream()
                        .map(veto -> PublishedPlans.clusterOf(veto) + " (" + veto.code() + ")")
                        .collect(Collectors.joining(", "));
    }

    Key key() {
        return key;
    }

    RequestShape shape() {
        return key.shape();
    }

    List<Veto> vetoes() {
        return key.vetoes();
    }

    /** The {@link #answer} of each cluster that was asked, which is a veto code unless the cluster is closed. */
    Map<ClusterId, String> codes() {
        return codes;
    }

    JobFact.Delayed delayed() {
        return delayed;
    }

    boolean isEmpty() {
        return groups.isEmpty();
    }

    void add(final WaitingGroup group, final GlobalJobId place, final GlobalJobId first) {
        groups.put(new Position(place, first), group);
    }

    void remove(final GlobalJobId place, final GlobalJobId first) {
        groups.remove(new Position(place, first));
    }

    WaitingGroup first() {
        return groups.firstEntry().getValue();
    }

    /** The group whose turn comes next after this position; null if there is none. */
    @Nullable
    WaitingGroup after(final GlobalJobId place, final GlobalJobId first) {
        final Map.Entry<Position, WaitingGroup> next = groups.higherEntry(new Position(place, first));
        return next == null ? null : next.getValue();
    }
}
