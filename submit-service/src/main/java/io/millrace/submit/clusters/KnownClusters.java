package io.millrace.submit.clusters;

import io.millrace.model.ClusterId;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.UnknownCluster;
import io.millrace.submit.domain.log.ClusterStatus;
import io.millrace.submit.domain.submission.JobRequest;
import io.millrace.submit.domain.submission.LsfMemory;
import io.millrace.submit.store.Clusters;
import io.quarkus.narayana.jta.QuarkusTransaction;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The site's clusters, as far as a request depends on them: their names, and what their LSF means by memory. */
@ApplicationScoped
public class KnownClusters {

    private static final Duration MOMENT = Duration.ofMillis(100);
    private static final Duration WHILE = Duration.ofSeconds(5);

    private final RecentReading<Set<ClusterId>> names;
    private final RecentReading<LsfMemory> lsfMemory;

    KnownClusters(final Clusters clusters) {
        names = new RecentReading<>(
                MOMENT, () -> QuarkusTransaction.requiringNew().call(clusters::names));
        lsfMemory = new RecentReading<>(
                WHILE,
                () -> QuarkusTransaction.requiringNew()
                        .call(() -> LsfMemory.of(clusters.all().stream()
                                .map(ClusterStatus::marker)
                                .toList())));
    }

    /** Read from the database at most every few seconds. */
    public LsfMemory lsfMemory() {
        return lsfMemory.value();
    }

    /** Read from the database at most ten times a second. */
    public Set<ClusterId> names() {
        return names.value();
    }

    /**
     * Checks a name by which nothing was found. A cluster that has left may still have jobs, so not every other name is wrong.
     *
     * @throws RequestRefused if the site has no such cluster
     */
    public void requireKnown(final @Nullable ClusterId cluster, final Function<String, RequestRefused> refusal) {
        if (cluster != null) {
            final Set<ClusterId> known = names();
            if (!known.contains(cluster)) {
                throw refusal.apply(UnknownCluster.text(cluster, known));
            }
        }
    }

    /**
     * The names for a request that names some clusters. They may be a few seconds old if they include those, so that most requests do not wait
     * for the database; a new cluster is known at once.
     */
    public Set<ClusterId> namesIn(final JobRequest request) {
        final Set<ClusterId> known = names.value(WHILE);
        final Set<String> words = known.stream().map(ClusterId::value).collect(Collectors.toSet());
        final List<@Nullable String> listed = request.clusters() == null ? List.of() : request.clusters();
        return Stream.concat(
                                Stream.of(Optional.ofNullable(request.source()), Optional.ofNullable(request.target())),
                                listed.stream().map(Optional::ofNullable))
                        .allMatch(name -> name.isEmpty() || words.contains(name.get()))
                ? known
                : names();
    }
}
