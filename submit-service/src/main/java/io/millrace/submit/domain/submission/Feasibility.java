package io.millrace.submit.domain.submission;

import io.millrace.model.ClusterId;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.translation.Translation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Whether a job can ever run, from what the clusters have published and from the options of its script. What only the installation of a
 * cluster knows, such as access to a partition, its agent decides later.
 *
 * @param refusal why no cluster can ever run it; empty if one can
 * @param notes the options of the script that are left out, and where
 */
public record Feasibility(Optional<String> refusal, List<String> notes) {

    /** A sentence about a thousand clusters would not help. */
    private static final int NAMED = 5;

    public Feasibility {
        notes = List.copyOf(notes);
    }

    /** @param clusters those that are considered if the job names no target */
    public static Feasibility of(final JobSubmitted job, final List<ClusterOffer> clusters) {
        final List<ClusterOffer> candidates = candidates(job, clusters);
        final Losses losses = new Losses(job.spec());
        final Map<ClusterId, Veto> vetoes = new TreeMap<>();
        for (final ClusterOffer cluster : candidates) {
            ClusterEligibility.issuerObstacle(job.issuer(), cluster.name(), cluster.siteMapping())
                    .or(() -> ClusterEligibility.runObstacle(job.owner(), job.spec(), job.requested(), cluster))
                    .filter(Veto::permanent)
                    .or(() -> losses.veto(cluster))
                    .ifPresent(veto -> vetoes.put(cluster.name(), veto));
        }
        final List<ClusterOffer> possible = candidates.stream()
                .filter(cluster -> !vetoes.containsKey(cluster.name()))
                .toList();
        return possible.isEmpty() && !vetoes.isEmpty()
                ? new Feasibility(Optional.of(sentence(vetoes)), List.of())
                : new Feasibility(Optional.empty(), losses.notes(possible));
    }

    /** The clusters that the job allows. */
    static List<ClusterOffer> candidates(final JobSubmitted job, final List<ClusterOffer> clusters) {
        return clusters.stream()
                .filter(cluster -> job.target() == null
                        ? job.requested().allows(cluster.name())
                        : job.target().equals(cluster.name()))
                .toList();
    }

    private static String sentence(final Map<ClusterId, Veto> vetoes) {
        final String reasons = vetoes.entrySet().stream()
                .limit(NAMED)
                .map(veto -> veto.getKey() + ": " + veto.getValue().reason() + " ("
                        + veto.getValue().code() + ")")
                .collect(Collectors.joining("; "));
        return (vetoes.size() == 1 ? "the cluster cannot run the job: " : "no cluster can run the job: ")
                + reasons
                + (vetoes.size() > NAMED ? "; and " + (vetoes.size() - NAMED) + " more clusters" : "");
    }

    /** The options of a script that the workload managers cannot express. */
    private static final class Losses {

        private final JobSpec spec;
        private final ParsedScript script;
        private final Map<WlmType, Translation> translations = new EnumMap<>(WlmType.class);

        Losses(final JobSpec spec) {
            this.spec = spec;
            this.script = ScriptParser.of(spec);
        }

        private Optional<Translation> translation(final ClusterOffer cluster) {
            return wlm(cluster.marker().wlm())
                    .map(wlm -> translations.computeIfAbsent(
                            wlm, type -> Translation.of(type, WlmFeatures.all(type.displayName()), spec, script)));
        }

        Optional<Veto> veto(final ClusterOffer cluster) {
            if (script.options().isEmpty()) {
                return Optional.empty();
            }
            return translation(cluster)
                    .map(translated -> spec.strict() ? translated.unsupported() : translated.essential())
                    .filter(lost -> !lost.isEmpty())
                    .map(lost -> VetoCode.OPTION_UNSUPPORTED.veto(String.join("; ", lost)));
        }

        List<String> notes(final List<ClusterOffer> clusters) {
            if (script.options().isEmpty()) {
                return List.of();
            }
            final Map<String, List<ClusterId>> lost = new LinkedHashMap<>();
            for (final ClusterOffer cluster : clusters) {
                translation(cluster)
                        .map(Translation::unsupported)
                        .orElse(List.of())
                        .forEach(option -> lost.computeIfAbsent(option, first -> new ArrayList<>())
                                .add(cluster.name()));
            }
            return lost.entrySet().stream()
                    .map(option -> "left out"
                            + (option.getValue().size() == clusters.size() ? "" : " on " + names(option.getValue()))
                            + ": "
                            + option.getKey())
                    .toList();
        }

        private static String names(final List<ClusterId> clusters) {
            return clusters.stream()
                            .limit(NAMED)
                            .map(Objects::toString)
                            .sorted()
                            .collect(Collectors.joining(", "))
                    + (clusters.size() > NAMED ? " and " + (clusters.size() - NAMED) + " more clusters" : "");
        }

        /** By the first word of what an adapter publishes, such as "slurm 22.05.8"; another adapter has no translation here. */
        private static Optional<WlmType> wlm(final String nameAndVersion) {
            return switch (nameAndVersion.split(" ", 2)[0]) {
                case "slurm" -> Optional.of(WlmType.SLURM);
                case "pbs" -> Optional.of(WlmType.PBSPRO);
                case "torque" -> Optional.of(WlmType.TORQUE);
                case "lsf", "openlava" -> Optional.of(WlmType.LSF);
                case "local" -> Optional.of(WlmType.LOCAL);
                default -> Optional.empty();
            };
        }
    }
}
