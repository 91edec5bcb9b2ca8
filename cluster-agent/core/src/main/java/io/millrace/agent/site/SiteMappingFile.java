package io.millrace.agent.site;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.yaml.MarkedYaml;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads a surroundings file:
 *
 * <pre>
 *   listed-only: true          # nobody but those below runs jobs here; false if left out
 *   accounts:
 *     anna.schmidt: as12       # site user: account of this cluster
 *   projects:
 *     climate: p0042           # site project: the workload manager's project
 *   modules:
 *     gcc: [env/2024, GCC/13]  # name of a software: environment modules, loaded in this order
 * </pre>
 *
 * Every complaint names line and column.
 */
final class SiteMappingFile {

    /** What a module system takes for a name; nothing that a shell could take for more. */
    private static final Pattern MODULE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+/@=-]{0,199}");

    private final MarkedYaml yaml;

    private SiteMappingFile(final MarkedYaml yaml) {
        this.yaml = yaml;
    }

    /**
     * @param name what complaints call the file
     * @throws IllegalArgumentException with line and column, and what is wrong there
     */
    static SiteMappingObserved read(final ClusterId cluster, final String name, final String text) {
        final MarkedYaml yaml = new MarkedYaml(name);
        return yaml.rootOf(text)
                .map(root -> new SiteMappingFile(yaml).of(cluster, root))
                .orElseGet(() -> new SiteMappingObserved(cluster, false, Map.of(), Map.of(), Map.of()));
    }

    private SiteMappingObserved of(final ClusterId cluster, final Node root) {
        final Map<String, Node> fields = yaml.fields(root, "listed-only", "accounts", "projects", "modules");
        final Node listedOnly = fields.get("listed-only");
        return new SiteMappingObserved(
                cluster,
                listedOnly != null && truth(listedOnly),
                names(fields.get("accounts"), "site user: account", UserName::of),
                names(fields.get("projects"), "site project: project", ProjectName::of),
                modules(fields.get("modules")));
    }

    private boolean truth(final Node node) {
        return switch (yaml.text(node, "true or false")) {
            case "true", "yes" -> true;
            case "false", "no" -> false;
            default -> throw yaml.wrong(node, "listed-only is true or false");
        };
    }

    private <N> Map<N, N> names(final @Nullable Node node, final String line, final Function<String, N> name) {
        final String expected = "lines of '" + line + "', one word each";
        final Map<N, N> names = new LinkedHashMap<>();
        if (node != null) {
            for (final NodeTuple entry : yaml.entries(node, expected)) {
                names.put(
                        yaml.read(entry.getKeyNode(), expected, name), yaml.read(entry.getValueNode(), expected, name));
            }
        }
        return names;
    }

    private Map<String, List<String>> modules(final @Nullable Node node) {
        final String expected = "lines of 'software: module' or 'software: [module, module]'";
        final Map<String, List<String>> modules = new LinkedHashMap<>();
        if (node != null) {
            for (final NodeTuple entry : yaml.entries(node, expected)) {
                final Node value = entry.getValueNode();
                final List<Node> all = value instanceof SequenceNode list ? list.getValue() : List.of(value);
                modules.put(
                        yaml.text(entry.getKeyNode(), expected),
                        all.stream()
                                .map(one -> yaml.read(one, expected, SiteMappingFile::module))
                                .toList());
            }
        }
        return modules;
    }

    private static String module(final String name) {
        if (!MODULE.matcher(name).matches()) {
            throw new IllegalArgumentException("'" + name + "' is not the name of a module (expected " + MODULE + ")");
        }
        return name;
    }
}
