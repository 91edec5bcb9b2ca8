package io.millrace.submit.rest.clusters;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.decide.Enforcement;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.Maintenance;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.SupportedVersions;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.submit.clusters.ShowClusters;
import io.millrace.submit.domain.job.QueueCount;
import io.millrace.submit.domain.log.ClusterStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A cluster in its latest revision. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "Cluster")
public record ClusterInfo(
        String name,
        @Schema(description = "Workload manager") String wlm,
        @Schema(enumeration = {"directed", "native"}) String control,

        @Schema(
                description = "answering; stale: the workload manager does not answer its agent; unavailable: the"
                        + " agent does not report, so the state of the cluster is unknown",
                enumeration = {"answering", "stale", "unavailable"})
        String health,

        @Schema(description = "Reason if it is not answering, or why its agent cannot switch control") @Nullable
        String reason,

        @Schema(
                description =
                        "If the version of the workload manager is not a supported one: which are, and the remedy")
        @Nullable
        String unsupportedVersion,

        @Schema(description = "When the state was observed") Instant observedAt,

        @Schema(description = "Seconds since the last report of the agent")
        long ageSeconds,

        long revision,
        ResourcesView total,
        ResourcesView free,
        List<String> capabilities,

        @Schema(description = "By capability: its limits on this cluster, or why it is missing and how to enable it")
        Map<String, String> notes,

        @Schema(
                description = "How quotas are enforced on this cluster",
                enumeration = {"reclaim", "tiers-and-limits", "tiers", "limits-and-reclaim", "limits", "none"})
        String quotaEnforcement,

        @Schema(description = "Whether the caller may run jobs here")
        boolean callerHasAccount,

        @Schema(description = "The caller's account on this cluster if its name differs from the site's user name")
        @Nullable
        String account,

        @Schema(description = "Modules by software name") Map<String, List<String>> software,

        @Schema(description = "How many nodes have each feature")
        Map<String, Long> features,

        @Schema(description = "Tokens by licence; absent: the workload manager does not report licences") @Nullable
        Map<String, LicenceView> licences,

        @Schema(description = "Maintenance windows that have not ended")
        List<MaintenanceView> maintenance,

        @Schema(description = "Free space for files of jobs from other clusters, in MiB; absent: unknown") @Nullable
        Long stagingFreeMib,

        @Schema(description = "Whether it accepts global jobs")
        boolean acceptsGlobalJobs,

        AvailabilityView availability,
        @Schema(description = "Jobs in the queue, by state") Map<String, CountView> queue,
        List<PartitionView> partitions,

        @Schema(description = "By the site's name for partitions: what it means on this cluster; empty: no such names")
        Map<String, SitePartitionView> sitePartitions,

        @Schema(description = "Nodes by availability") Map<String, Long> nodes) {

    /** Resources of available nodes. */
    @Schema(name = "Resources")
    public record ResourcesView(int cores, int nodes, long memoryMib, int gpus) {
        static ResourcesView of(final Resources resources) {
            return new ResourcesView(resources.cores(), resources.nodes(), resources.memoryMib(), resources.gpus());
        }
    }

    /** Number of jobs, and the cores that they request or occupy. */
    @Schema(name = "Count")
    public record CountView(long jobs, long cores) {}

    /** Tokens of a licence. */
    @Schema(name = "Licence")
    public record LicenceView(int total, int free) {}

    /** A maintenance window. */
    @Schema(name = "Maintenance")
    public record MaintenanceView(
            String name,
            Instant from,
            Instant until,
            @Schema(description = "Empty: all nodes") List<String> nodes) {
        static MaintenanceView of(final Maintenance window) {
            return new MaintenanceView(
                    window.name(),
                    window.from(),
                    window.until(),
                    window.nodes().stream().map(NodeName::value).toList());
        }
    }

    /** A partition. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "Partition")
    public record PartitionView(
            String name,
            boolean open,
            boolean isDefault,
            int cores,

            @Schema(description = "ISO 8601 duration; absent: no limit") @Nullable
            String walltimeLimit) {
        static PartitionView of(final PartitionObserved partition) {
            return new PartitionView(
                    partition.partition().value(),
                    partition.open(),
                    partition.isDefault(),
                    partition.cores(),
                    partition.walltimeLimit() == null
                            ? null
                            : partition.walltimeLimit().toString());
        }
    }

    /** What the site's name for partitions means on a cluster. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    @Schema(name = "SitePartition")
    public record SitePartitionView(
            @Schema(description = "Partitions of the cluster, best first")
            List<String> partitions,

            @Schema(description = "Longest walltime of a job, ISO 8601; absent: what the partition allows") @Nullable
            String walltimeLimit,

            @Schema(description = "Most cores of a job; absent: what the partition allows") @Nullable
            Integer cores,

            @Schema(description = "Most nodes of a job; absent: what the partition allows") @Nullable
            Integer nodes,

            @Schema(description = "Most GPUs of a job; absent: what the partition allows") @Nullable
            Integer gpus) {

        static Map<String, SitePartitionView> of(final @Nullable SiteMappingObserved mapping) {
            final Map<String, SitePartitionView> views = new TreeMap<>();
            if (mapping != null) {
                mapping.sitePartitions()
                        .forEach((name, site) -> views.put(
                                name.value(),
                                new SitePartitionView(
                                        site.partitions().stream()
                                                .map(PartitionName::value)
                                                .toList(),
                                        Objects.toString(site.walltime(), null),
                                        site.cores(),
                                        site.nodes(),
                                        site.gpus())));
            }
            return views;
        }
    }

    static ClusterInfo of(
            final ShowClusters.ClusterDetails shown,
            final UserName caller,
            final Instant now,
            final Duration silentAfter) {
        final SiteMappingObserved mapping = shown.siteMapping();
        final ClusterStatus status = shown.status();
        final RevisionClosed marker = status.marker();
        final ClusterStatus.Health health = status.health(now, silentAfter);
        return new ClusterInfo(
                marker.cluster().value(),
                marker.wlm(),
                marker.control().name().toLowerCase(Locale.ROOT),
                health.name().toLowerCase(Locale.ROOT),
                reason(status, health),
                SupportedVersions.problem(marker.wlm()).orElse(null),
                marker.observedAt(),
                Math.max(0, Duration.between(status.recordedAt(), now).toSeconds()),
                marker.revision(),
                ResourcesView.of(marker.total()),
                ResourcesView.of(marker.free()),
                marker.capabilities().stream()
                        .map(c -> c.name().toLowerCase(Locale.ROOT))
                        .sorted()
                        .toList(),
                notes(marker),
                Enforcement.of(marker).name().toLowerCase(Locale.ROOT).replace('_', '-'),
                mapping == null || mapping.knows(caller),
                mapping == null ? null : Objects.toString(mapping.accounts().get(caller), null),
                mapping == null ? Map.of() : new TreeMap<>(mapping.modules()),
                features(shown.nodes()),
                licences(shown.conditions()),
                shown.conditions().maintenance().stream()
                        .map(MaintenanceView::of)
                        .toList(),
                shown.conditions().stagingFreeMib(),
                marker.stagingRoot() != null,
                AvailabilityView.of(shown.availability()),
                counts(shown.queue()),
                shown.partitions().stream().map(PartitionView::of).toList(),
                SitePartitionView.of(mapping),
                shown.nodes().stream()
                        .map(NodeObserved::availability)
                        .collect(Collectors.groupingBy(
                                availability -> availability.name().toLowerCase(Locale.ROOT),
                                TreeMap::new,
                                Collectors.counting())));
    }

    private static Map<String, Long> features(final List<NodeObserved> nodes) {
        return nodes.stream()
                .flatMap(node -> node.features().stream())
                .collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }

    private static @Nullable Map<String, LicenceView> licences(final ClusterConditions conditions) {
        if (conditions.licences() == null) {
            return null;
        }
        final Map<String, LicenceView> licences = new TreeMap<>();
        conditions
                .licences()
                .forEach((name, tokens) -> licences.put(name, new LicenceView(tokens.total(), tokens.free())));
        return licences;
    }

    private static Map<String, String> notes(final RevisionClosed marker) {
        final Map<String, String> notes = new TreeMap<>();
        marker.notes().forEach((capability, note) -> notes.put(capability.name().toLowerCase(Locale.ROOT), note));
        return notes;
    }

    static Map<String, CountView> counts(final List<QueueCount> counts) {
        final Map<String, CountView> byState = new TreeMap<>();
        counts.forEach(count -> byState.put(count.state().word(), new CountView(count.jobs(), count.cores())));
        return byState;
    }

    private static @Nullable String reason(final ClusterStatus status, final ClusterStatus.Health health) {
        if (health == ClusterStatus.Health.UNAVAILABLE) {
            return "the agent has not reported since " + status.recordedAt() + "; the state of the cluster is unknown";
        }
        return status.marker().health() instanceof WlmHealth.Stale stale
                ? "state of " + stale.lastAnsweredAt() + ": " + stale.reason()
                : status.marker().controlProblem();
    }
}
