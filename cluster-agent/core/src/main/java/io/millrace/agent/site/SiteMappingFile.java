package io.millrace.agent.site;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.cluster.SitePartition;
import io.millrace.sitefiles.YamlFile;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a site mapping file:
 *
 * <pre>
 *   listed-only: true          # only the accounts below may run jobs; default false
 *   accounts:
 *     anna.schmidt: as12       # site user: account of this cluster
 *   projects:
 *     climate: p0042           # site project: the workload manager's project
 *   modules:
 *     gcc: [env/2024, GCC/13]  # software: environment modules, loaded in this order
 *   partitions:
 *     gpu: [a100, v100]        # site's name: partitions of this cluster, best first
 *   partition-limits:
 *     gpu: {walltime: 24h, cores: 64, nodes: 2, gpus: 8}  # of one job under this name
 * </pre>
 *
 * Every error message names line and column.
 */
final class SiteMappingFile {

    /** What a module system takes for a name; nothing that a shell could take for more. */
    private static final Pattern MODULE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+/@=-]{0,199}");

    private SiteMappingFile() {}

    /**
     * @param name what messages call the file
     * @throws IllegalArgumentException if the text has an error; names line and column
     */
    static SiteMappingObserved read(final ClusterId cluster, final String name, final String text) {
        return YamlFile.parse(name, text, Content.class, content -> content.convert(cluster));
    }

    private record Content(
            @Nullable Boolean listedOnly,
            @Nullable Map<UserName, UserName> accounts,
            @Nullable Map<ProjectName, ProjectName> projects,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            Map<String, List<Module>> modules,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            Map<PartitionName, List<PartitionName>> partitions,

            @Nullable Map<PartitionName, Limits> partitionLimits) {

        private SiteMappingObserved convert(final ClusterId cluster) {
            final Map<String, List<String>> names = new LinkedHashMap<>();
            orEmpty(modules)
                    .forEach((software, all) -> names.put(
                            software,
                            YamlFile.required(all, software).stream()
                                    .map(Module::name)
                                    .toList()));
            return new SiteMappingObserved(
                            cluster, Boolean.TRUE.equals(listedOnly), orEmpty(accounts), orEmpty(projects), names)
                    .naming(sitePartitions());
        }

        private Map<PartitionName, SitePartition> sitePartitions() {
            final Map<PartitionName, Limits> limits = orEmpty(partitionLimits);
            for (final PartitionName name : limits.keySet()) {
                YamlFile.entry(
                        () -> YamlFile.required(orEmpty(partitions).get(name), "partitions: " + name),
                        "partition-limits",
                        name.value());
            }
            final Map<PartitionName, SitePartition> all = new LinkedHashMap<>();
            orEmpty(partitions)
                    .forEach((name, here) -> all.put(
                            name,
                            YamlFile.entry(
                                    () -> limits.getOrDefault(name, Limits.NONE)
                                            .of(YamlFile.required(here, name.value())),
                                    "partitions",
                                    name.value())));
            return all;
        }

        private static <K, V> Map<K, V> orEmpty(final @Nullable Map<K, V> map) {
            return Objects.requireNonNullElse(map, Map.of());
        }
    }

    private record Limits(
            @Nullable Duration walltime,
            @Nullable Integer cores,
            @Nullable Integer nodes,
            @Nullable Integer gpus) {

        private static final Limits NONE = new Limits(null, null, null, null);

        private SitePartition of(final List<PartitionName> partitions) {
            return new SitePartition(partitions, walltime, cores, nodes, gpus);
        }
    }

    private record Module(String name) {
        static Module of(final String name) {
            if (!MODULE.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "'" + name + "' is not a valid module name; use at most 200 letters, digits and _ . + / @ = -");
            }
            return new Module(name);
        }
    }
}
