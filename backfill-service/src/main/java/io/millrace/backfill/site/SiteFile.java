package io.millrace.backfill.site;

import io.millrace.backfill.domain.ShadowTime;
import io.millrace.backfill.domain.SiteSettings;
import io.millrace.backfill.domain.capacity.MaintenanceWindow;
import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.sitefiles.InvalidEntryException;
import io.millrace.sitefiles.YamlFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the site file: {@code clusters: { alpha: { licences: { ansys: 20 }, windows: [ { from, until, cores, partition, nodes, reason } ] } }}.
 */
public final class SiteFile {

    private SiteFile() {}

    /** @throws IllegalArgumentException if the file cannot be read or has an error; names line and column */
    public static Map<ClusterId, SiteSettings> read(final Path path) {
        return YamlFile.read("site file", path, Content.class, Content::settings);
    }

    private record Content(@Nullable Map<ClusterId, ClusterSection> clusters) {

        private Map<ClusterId, SiteSettings> settings() {
            final Map<ClusterId, SiteSettings> settings = new HashMap<>();
            Objects.requireNonNullElse(clusters, Map.<ClusterId, ClusterSection>of())
                    .forEach((cluster, section) ->
                            settings.put(cluster, section == null ? SiteSettings.NONE : section.settings()));
            return settings;
        }
    }

    private record ClusterSection(
            @Nullable Map<String, Integer> licences,
            @Nullable List<WindowLine> windows) {

        private ClusterSection {
            Objects.requireNonNullElse(licences, Map.<String, Integer>of()).forEach((licence, tokens) -> {
                if (tokens < 0) {
                    throw new InvalidEntryException(
                            "must be a whole number, 0 or greater; got '" + tokens + "'", "licences", licence);
                }
            });
        }

        private SiteSettings settings() {
            return new SiteSettings(
                    licences == null ? Map.of() : licences,
                    windows == null
                            ? List.of()
                            : windows.stream().map(WindowLine::window).toList());
        }
    }

    private record WindowLine(
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable Integer cores,
            @Nullable PartitionName partition,
            @Nullable List<NodeName> nodes,
            @Nullable String reason) {

        private WindowLine {
            window(from, until, cores, partition, nodes, reason);
        }

        private MaintenanceWindow window() {
            return window(from, until, cores, partition, nodes, reason);
        }

        private static MaintenanceWindow window(
                final @Nullable Instant from,
                final @Nullable Instant until,
                final @Nullable Integer cores,
                final @Nullable PartitionName partition,
                final @Nullable List<NodeName> nodes,
                final @Nullable String reason) {
            if (nodes != null && nodes.isEmpty()) {
                throw new InvalidEntryException("'nodes' is empty: list nodes, as in [n01, n02]", "nodes");
            }
            return new MaintenanceWindow(
                    YamlFile.required(from, "from").getEpochSecond(),
                    until == null ? ShadowTime.NEVER : until.getEpochSecond(),
                    nodes == null ? YamlFile.required(cores, "cores") : nodes.size(),
                    partition,
                    nodes == null ? List.of() : nodes,
                    YamlFile.required(reason, "reason"));
        }
    }
}
