package io.millrace.decide;

import io.millrace.model.Resources;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.LicenceTokens;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.job.TargetRequest;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The node features, software and licences of a cluster. What an agent does not publish does not exclude its cluster.
 *
 * @param nodes all, whether they are up or not; empty: unknown
 * @param siteMapping null: unknown
 */
public record ClusterOffering(
        Collection<NodeObserved> nodes, @Nullable SiteMappingObserved siteMapping, ClusterConditions conditions) {

    /** Why a job that requests this can never run on the cluster; empty if it can. */
    public Optional<Veto> veto(final TargetRequest request, final Resources resources) {
        return features(request.features(), resources)
                .or(() -> software(request.software()))
                .or(() -> licences(request.licences()));
    }

    private Optional<Veto> features(final List<String> features, final Resources wanted) {
        if (features.isEmpty() || nodes.isEmpty()) {
            return Optional.empty();
        }
        final List<Resources> suitable = nodes.stream()
                .filter(node -> hasAll(node, features))
                .map(NodeObserved::total)
                .toList();
        final long cores = suitable.stream().mapToLong(Resources::cores).sum();
        return suitable.size() >= Math.max(1, wanted.nodes()) && cores >= wanted.cores()
                ? Optional.empty()
                : Optional.of(VetoCode.FEATURES_MISSING.veto(
                        suitable.size() + " nodes with " + cores + " cores have the features "
                                + String.join(", ", features) + "; " + Math.max(1, wanted.nodes()) + " nodes with "
                                + wanted.cores() + " cores requested"));
    }

    private static boolean hasAll(final NodeObserved node, final List<String> features) {
        return features.stream()
                .allMatch(entry -> Arrays.stream(entry.split("\\|")).anyMatch(node.features()::contains));
    }

    /** A cluster that names no software at all leaves it to the script. */
    private Optional<Veto> software(final List<String> wanted) {
        if (siteMapping == null || siteMapping.modules().isEmpty()) {
            return Optional.empty();
        }
        final List<String> missing = wanted.stream()
                .filter(name -> !siteMapping.modules().containsKey(name))
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        VetoCode.SOFTWARE_MISSING.veto("does not have the software " + String.join(", ", missing)));
    }

    private Optional<Veto> licences(final Map<String, Integer> wanted) {
        final Map<String, LicenceTokens> known = conditions.licences();
        return known == null
                ? Optional.empty()
                : wanted.entrySet().stream()
                        .filter(licence -> total(known, licence.getKey()) < licence.getValue())
                        .findFirst()
                        .map(licence -> VetoCode.EXCEEDS_LICENCES.veto("has " + total(known, licence.getKey())
                                + " tokens of licence '" + licence.getKey() + "', " + licence.getValue()
                                + " requested"));
    }

    private static int total(final Map<String, LicenceTokens> known, final String licence) {
        final LicenceTokens tokens = known.get(licence);
        return tokens == null ? 0 : tokens.total();
    }
}
