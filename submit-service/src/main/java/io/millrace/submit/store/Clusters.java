package io.millrace.submit.store;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.log.EventSerializer;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The newest revision marker of each cluster. */
@ApplicationScoped
public class Clusters {

    private final EventSerializer text;

    Clusters(final EventSerializer text) {
        this.text = text;
    }

    public void put(final Collection<ClusterStatus> newest) {
        Rows.upsert(
                "cluster (name, recorded_at, body)",
                "recorded_at = values(recorded_at), body = values(body)",
                newest,
                status -> Rows.values(
                        status.marker().cluster().value(), status.recordedAt(), text.write(status.marker())));
    }

    public void remove(final Collection<ClusterId> clusters) {
        Rows.delete("delete from cluster where name = ?", clusters, cluster -> Rows.values(cluster.value()));
    }

    public Optional<ClusterStatus> find(final ClusterId cluster) {
        return ClusterRow.<ClusterRow>findByIdOptional(cluster.value()).map(this::status);
    }

    public Set<ClusterId> names() {
        return Panache.getEntityManager()
                .createQuery("select name from ClusterRow", String.class)
                .getResultStream()
                .map(ClusterId::of)
                .collect(Collectors.toSet());
    }

    /** All clusters by name. */
    public List<ClusterStatus> all() {
        return ClusterRow.<ClusterRow>list("order by name").stream()
                .map(this::status)
                .toList();
    }

    private ClusterStatus status(final ClusterRow row) {
        return new ClusterStatus(text.read(row.body, RevisionClosed.class), row.recordedAt);
    }
}
