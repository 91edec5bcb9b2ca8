package io.millrace.submit.store;

import io.millrace.model.ClusterId;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.log.EventSerializer;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
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

    public void put(final RevisionClosed marker, final Instant when) {
        final ClusterRow found = ClusterRow.findById(marker.cluster().value());
        final ClusterRow row = found == null ? new ClusterRow() : found;
        row.recordedAt = when;
        row.body = text.write(marker);
        if (found == null) {
            row.name = marker.cluster().value();
            row.persist();
        }
    }

    public void remove(final ClusterId cluster) {
        ClusterRow.deleteById(cluster.value());
    }

    public Optional<ClusterStatus> find(final ClusterId cluster) {
        return ClusterRow.<ClusterRow>findByIdOptional(cluster.value()).map(this::put);
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
                .map(this::put)
                .toList();
    }

    private ClusterStatus put(final ClusterRow row) {
        return new ClusterStatus(text.read(row.body, RevisionClosed.class), row.recordedAt);
    }
}
