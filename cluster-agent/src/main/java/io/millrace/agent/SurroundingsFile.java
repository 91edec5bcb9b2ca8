package io.millrace.agent;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.SurroundingsObserved;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
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
 * Every complaint names the line.
 */
final class SurroundingsFile {

    /** What a module system takes for a name; nothing that a shell could take for more. */
    private static final Pattern MODULE = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.+/@=-]{0,199}");

    private final ClusterId cluster;
    private boolean listedOnly;
    private Map<UserName, UserName> accounts = Map.of();
    private Map<ProjectName, ProjectName> projects = Map.of();
    private Map<String, List<String>> modules = Map.of();

    private SurroundingsFile(final ClusterId cluster) {
        this.cluster = cluster;
    }

    /** @throws IllegalArgumentException with the line and what is wrong there */
    static SurroundingsObserved read(final ClusterId cluster, final String text) {
        final SurroundingsFile file = new SurroundingsFile(cluster);
        try {
            final LoaderOptions options = new LoaderOptions();
            options.setMaxAliasesForCollections(10);
            final Node root = new Yaml(options).compose(new StringReader(text));
            if (root != null) {
                fields(root, "the file").forEach((name, value) -> file.take(name, value));
            }
        } catch (final MarkedYAMLException e) {
            final int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
            throw new IllegalArgumentException("line " + line + ": " + e.getProblem(), e);
        }
        return new SurroundingsObserved(cluster, file.listedOnly, file.accounts, file.projects, file.modules);
    }

    private void take(final Field name, final Node value) {
        switch (name.text()) {
            case "listed-only" -> listedOnly = truth(value);
            case "accounts" -> accounts = names(value, "accounts", UserName::of);
            case "projects" -> projects = names(value, "projects", ProjectName::of);
            case "modules" -> modules = modules(value);
            default ->
                throw name.wrong("'" + name.text() + "' is none of listed-only, accounts, projects, modules (cluster '"
                        + cluster + "')");
        }
    }

    private record Field(String text, Node node) {
        IllegalArgumentException wrong(final String because) {
            return SurroundingsFile.wrong(node, because);
        }
    }

    private static boolean truth(final Node node) {
        return switch (text(node, "listed-only")) {
            case "true", "yes" -> true;
            case "false", "no" -> false;
            default -> throw wrong(node, "listed-only is true or false");
        };
    }

    private static <N> Map<N, N> names(final Node node, final String what, final Function<String, N> name) {
        final Map<N, N> names = new LinkedHashMap<>();
        fields(node, what)
                .forEach((key, value) ->
                        names.put(valid(key.node(), key.text(), name), valid(value, text(value, what), name)));
        return names;
    }

    private static Map<String, List<String>> modules(final Node node) {
        final Map<String, List<String>> modules = new LinkedHashMap<>();
        fields(node, "modules").forEach((key, value) -> {
            final List<Node> all = value instanceof SequenceNode list ? list.getValue() : List.of(value);
            final List<String> names = new ArrayList<>();
            for (final Node one : all) {
                final String module = text(one, "modules of '" + key.text() + "'");
                if (!MODULE.matcher(module).matches()) {
                    throw wrong(one, "'" + module + "' is not the name of a module (expected " + MODULE + ")");
                }
                names.add(module);
            }
            modules.put(key.text(), List.copyOf(names));
        });
        return modules;
    }

    private static <N> N valid(final Node node, final String text, final Function<String, N> name) {
        try {
            return name.apply(text);
        } catch (final IllegalArgumentException e) {
            throw wrong(node, String.valueOf(e.getMessage()));
        }
    }

    private static Map<Field, Node> fields(final Node node, final String what) {
        if (!(node instanceof MappingNode mapping)) {
            if (node instanceof ScalarNode scalar && scalar.getValue().isEmpty()) {
                return Map.of();
            }
            throw wrong(node, what + " must be lines of 'name: value'");
        }
        final Map<Field, Node> fields = new LinkedHashMap<>();
        final Map<String, Integer> lines = new LinkedHashMap<>();
        for (final NodeTuple tuple : mapping.getValue()) {
            final String name = text(tuple.getKeyNode(), what);
            final @Nullable Integer before = lines.put(name, line(tuple.getKeyNode()));
            if (before != null) {
                throw wrong(tuple.getKeyNode(), "'" + name + "' stands in line " + before + " already");
            }
            fields.put(new Field(name, tuple.getKeyNode()), tuple.getValueNode());
        }
        return fields;
    }

    private static String text(final Node node, final String what) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw wrong(node, what + ": one word is expected here");
    }

    private static int line(final Node node) {
        return node.getStartMark().getLine() + 1;
    }

    private static IllegalArgumentException wrong(final Node node, final String because) {
        return new IllegalArgumentException("line " + line(node) + ": " + because);
    }
}
