package io.millrace.quota.files;

import io.millrace.model.ProjectName;
import io.millrace.model.policy.PartitionReach;
import io.millrace.model.policy.PriorityRules;
import io.millrace.model.policy.PriorityTerm;
import io.millrace.yaml.Figures;
import io.millrace.yaml.MarkedYaml;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * Reads the site's rules of priority. A file with an error is refused as a whole, with line and column, so that nothing is half
 * applied.
 */
public final class PriorityFile {

    private static final String EXPECTED =
            "'priority:' with 'weights', 'full-age', 'half-life', 'classes', 'urgencies', 'projects' or 'reach'";

    private final MarkedYaml yaml;
    private Map<PriorityTerm, Integer> weights = Map.of();
    private Duration fullAge = PriorityRules.NONE.maxAge();
    private Duration halfLife = PriorityRules.NONE.halfLife();
    private Map<String, Integer> classes_percent = Map.of();
    private Map<String, Integer> urgencies_percent = Map.of();
    private Map<ProjectName, Integer> projects_percent = Map.of();
    private List<PartitionReach> reach = List.of();

    private PriorityFile(final MarkedYaml yaml) {
        this.yaml = yaml;
    }

    /** @throws IllegalArgumentException if the file cannot be read or holds an error; says where */
    public static PriorityRules read(final Path path) {
        final MarkedYaml yaml = new MarkedYaml("priority file " + path);
        return yaml.root(path).map(new PriorityFile(yaml)::readRoot).orElse(PriorityRules.NONE);
    }

    private PriorityRules readRoot(final Node root) {
        for (final NodeTuple section : mapping(root)) {
            if (!text(section.getKeyNode()).equals("priority")) {
                throw unknown(section.getKeyNode());
            }
            mapping(section.getValueNode()).forEach(this::readRule);
        }
        return yaml.checked(
                root,
                () -> new PriorityRules(
                                weights, fullAge, halfLife, classes_percent, urgencies_percent, projects_percent)
                        .reaching(reach));
    }

    private void readRule(final NodeTuple rule) {
        final Node value = rule.getValueNode();
        switch (text(rule.getKeyNode())) {
            case "weights" -> weights = figures(value, PriorityFile::term);
            case "full-age" -> fullAge = read(value, Figures::span);
            case "half-life" -> halfLife = read(value, Figures::span);
            case "classes" -> classes_percent = figures(value, Function.identity());
            case "urgencies" -> urgencies_percent = figures(value, Function.identity());
            case "projects" -> projects_percent = figures(value, ProjectName::of);
            case "reach" ->
                reach = yaml.items(value).stream()
                        .map(line -> ReachReader.read(yaml, line))
                        .toList();
            default -> throw unknown(rule.getKeyNode());
        }
    }

    private static PriorityTerm term(final String word) {
        return PriorityTerm.weighted().stream()
                .filter(term -> term.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is no term: one of "
                        + PriorityTerm.weighted().stream()
                                .map(PriorityTerm::word)
                                .toList()));
    }

    private <K> Map<K, Integer> figures(final Node node, final Function<String, K> name) {
        final Map<K, Integer> figures = new LinkedHashMap<>();
        for (final NodeTuple line : mapping(node)) {
            final K key = read(line.getKeyNode(), name);
            if (figures.putIfAbsent(key, read(line.getValueNode(), Figures::whole)) != null) {
                throw yaml.wrong(line.getKeyNode(), "'" + text(line.getKeyNode()) + "' is named twice");
            }
        }
        return figures;
    }

    private <T> T read(final Node node, final Function<String, T> reader) {
        return yaml.read(node, EXPECTED, reader);
    }

    private List<NodeTuple> mapping(final Node node) {
        return yaml.mapping(node, EXPECTED);
    }

    private String text(final Node node) {
        return yaml.text(node, EXPECTED);
    }

    private IllegalArgumentException unknown(final Node key) {
        return yaml.wrong(key, "'" + text(key) + "' is not known; expected " + EXPECTED);
    }
}
