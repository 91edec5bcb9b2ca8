package io.millrace.quota.files;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.policy.PartitionOverflow;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.sitefiles.YamlFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the weights of priorities, and the partitions that a priority opens; the guide shows the file. */
public final class PriorityFile {

    private PriorityFile() {}

    /** @throws IllegalArgumentException if the file cannot be read or has an error; names line and column */
    public static PriorityRules read(final Path path) {
        return YamlFile.read(
                "priority file",
                path,
                Content.class,
                content -> content.priority == null ? PriorityRules.NONE : content.priority.rules());
    }

    private record Content(@Nullable Section priority) {}

    private record Section(
            @Nullable Map<String, Integer> weights,
            @Nullable Duration maxAge,
            @Nullable Duration halfLife,
            @Nullable Map<String, Integer> classes,
            @Nullable Map<String, Integer> urgencies,
            @Nullable Map<ProjectName, Integer> projects,
            @Nullable List<Overflow> overflow) {

        private PriorityRules rules() {
            return new PriorityRules(
                            terms(),
                            maxAge == null ? PriorityRules.NONE.maxAge() : maxAge,
                            halfLife == null ? PriorityRules.NONE.halfLife() : halfLife,
                            orEmpty(classes),
                            orEmpty(urgencies),
                            orEmpty(projects),
                            null)
                    .withOverflow(
                            overflow == null
                                    ? List.of()
                                    : overflow.stream().map(Overflow::convert).toList());
        }

        private Map<PriorityTerm, Integer> terms() {
            final Map<PriorityTerm, Integer> terms = new LinkedHashMap<>();
            orEmpty(weights)
                    .forEach((word, weight) ->
                            terms.put(YamlFile.entry(() -> term(word), "priority", "weights", word), weight));
            return terms;
        }

        private static PriorityTerm term(final String word) {
            return PriorityTerm.weighted().stream()
                    .filter(term -> term.word().equals(word))
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("'" + word + "' is not a term of priority: use one of "
                                    + PriorityTerm.weighted().stream()
                                            .map(PriorityTerm::word)
                                            .toList()));
        }

        private static <K> Map<K, Integer> orEmpty(final @Nullable Map<K, Integer> map) {
            return Objects.requireNonNullElse(map, Map.of());
        }
    }

    /** {@code {cluster: alpha, from: main, at: 5000, to: [fast, span]}}. */
    private record Overflow(
            @Nullable ClusterId cluster,
            @Nullable PartitionName from,
            @Nullable Long at,
            @Nullable List<PartitionName> to) {

        private Overflow {
            convert(cluster, from, at, to);
        }

        private PartitionOverflow convert() {
            return convert(cluster, from, at, to);
        }

        private static PartitionOverflow convert(
                final @Nullable ClusterId cluster,
                final @Nullable PartitionName from,
                final @Nullable Long at,
                final @Nullable List<PartitionName> to) {
            return new PartitionOverflow(cluster, from, YamlFile.required(at, "at"), to == null ? List.of() : to);
        }
    }
}
