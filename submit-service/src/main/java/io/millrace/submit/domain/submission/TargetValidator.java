package io.millrace.submit.domain.submission;

import io.millrace.model.ClusterId;
import io.millrace.model.job.TargetRequest;
import io.millrace.model.job.TargetRule;
import io.millrace.script.JobSetting;
import io.millrace.script.Software;
import io.millrace.submit.domain.UnknownCluster;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a job requests of its cluster beside resources and partition, from the request and from the directives of its script. */
record TargetValidator(JobRequest job, ScriptDirectives directives, Set<ClusterId> known, ValidationErrors errors) {

    private static final long MAX_DISK_MIB = 1L << 40;

    TargetRequest request(final Map<String, String> environment) {
        return new TargetRequest(
                rule(),
                clusters(),
                directives.features(),
                directives.exclusive(),
                directives.licences(),
                Software.of(environment),
                errors.range("diskMib", job.diskMib(), 0, MAX_DISK_MIB));
    }

    private @Nullable TargetRule rule() {
        final String word = job.targetRule();
        if (word == null) {
            return null;
        }
        return Stream.of(TargetRule.values())
                .filter(rule -> rule.word().equals(word))
                .findFirst()
                .orElseGet(() -> errors.add(
                        "targetRule",
                        "'" + word + "' is not a target rule; use one of "
                                + String.join(
                                        ", ",
                                        Arrays.stream(TargetRule.values())
                                                .map(TargetRule::word)
                                                .toList()),
                        null));
    }

    /** A requested cluster makes the list of the script void. */
    private List<ClusterId> clusters() {
        final List<@Nullable String> requested = job.clusters();
        if (requested != null && job.target() != null) {
            return errors.add("clusters", "is not possible together with 'target'; use one of them", List.of());
        }
        final boolean fromScript = requested == null && job.target() == null;
        final List<@Nullable String> names =
                fromScript ? List.copyOf(directives.clusters()) : requested == null ? List.of() : requested;
        final String field = fromScript ? directives.field(JobSetting.Clusters.class) : "clusters";
        final Set<ClusterId> clusters = new LinkedHashSet<>();
        for (final String name : names) {
            final ClusterId cluster = cluster(field, Objects.requireNonNullElse(name, ""), known, errors);
            if (cluster != null) {
                clusters.add(cluster);
            }
        }
        return List.copyOf(clusters);
    }

    /** The cluster of this name; an error if the site has none. */
    static @Nullable ClusterId cluster(
            final String field,
            final @Nullable String name,
            final Set<ClusterId> known,
            final ValidationErrors errors) {
        final ClusterId cluster = errors.read(field, name, ClusterId::of);
        if (cluster != null && !known.contains(cluster)) {
            return errors.add(field, "names " + UnknownCluster.text(cluster, known), cluster);
        }
        return cluster;
    }
}
