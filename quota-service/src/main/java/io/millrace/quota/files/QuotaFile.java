package io.millrace.quota.files;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaHolder;
import io.millrace.quota.domain.quota.GroupTree;
import io.millrace.quota.domain.quota.QuotaFileContent;
import io.millrace.quota.domain.quota.QuotaFileEntry;
import io.millrace.yaml.MarkedYaml;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * Reads the site's quotas: {@code quotas: { cluster: { user: cores } }} and {@code groups: { group: [ members ] }}. A file with an error
 * is refused as a whole, with line and column, so that nothing is half applied.
 */
public final class QuotaFile {

    private static final String EXPECTED =
            "'quotas:' with clusters, each with lines 'user: cores', and 'groups:' with lines 'group: [members]'";

    private final MarkedYaml yaml;
    private final QuotaReader quotas;
    private final List<QuotaFileEntry> entries = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final Map<QuotaHolder, Set<QuotaHolder>> groups = new LinkedHashMap<>();

    private QuotaFile(final Path path) {
        this.yaml = new MarkedYaml("quota file " + path);
        this.quotas = new QuotaReader(yaml, EXPECTED);
    }

    /** @throws IllegalArgumentException if the file cannot be read or holds an error; says where */
    public static QuotaFileContent read(final Path path) {
        final QuotaFile file = new QuotaFile(path);
        file.yaml.root(path).ifPresent(file::readRoot);
        return new QuotaFileContent(file.entries, file.groups);
    }

    private void readRoot(final Node root) {
        for (final NodeTuple section : yaml.mapping(root, EXPECTED)) {
            switch (text(section.getKeyNode())) {
                case "quotas" -> readQuotas(section.getValueNode());
                case "groups" -> readGroups(section.getValueNode());
                default ->
                    throw yaml.wrong(
                            section.getKeyNode(),
                            "'" + text(section.getKeyNode()) + "' is not known; expected " + EXPECTED);
            }
        }
    }

    private void readQuotas(final Node clusters) {
        for (final NodeTuple cluster : yaml.mapping(clusters, EXPECTED)) {
            for (final NodeTuple holder : yaml.mapping(cluster.getValueNode(), EXPECTED)) {
                readQuota(cluster.getKeyNode(), holder.getKeyNode(), holder.getValueNode());
            }
        }
    }

    private void readQuota(final Node cluster, final Node holder, final Node said) {
        final QuotaReader.Figures figures = quotas.figures(said);
        final String on = text(cluster);
        final QuotaFileEntry entry = yaml.checked(
                holder,
                () -> new QuotaFileEntry(
                        on.equals(Quota.EVERYWHERE) ? null : ClusterId.of(on),
                        QuotaHolder.of(text(holder)),
                        figures.cores(),
                        figures.terms()));
        if (!seen.add(entry.key())) {
            throw yaml.wrong(holder, "a second quota for " + entry.key());
        }
        entries.add(entry);
    }

    /** After each group the tree is looked at, so that an error is told where it comes in. */
    private void readGroups(final Node all) {
        for (final NodeTuple line : yaml.mapping(all, EXPECTED)) {
            final Node name = line.getKeyNode();
            final QuotaHolder group = yaml.checked(name, () -> new QuotaHolder(QuotaHolder.Kind.GROUP, text(name)));
            final Set<QuotaHolder> members = new LinkedHashSet<>();
            for (final Node member : yaml.items(line.getValueNode())) {
                if (!members.add(yaml.checked(member, () -> QuotaHolder.of(text(member))))) {
                    throw yaml.wrong(member, "'" + text(member) + "' is named twice");
                }
            }
            if (groups.put(group, members) != null) {
                throw yaml.wrong(name, "a second group '" + text(name) + "'");
            }
            GroupTree.flaw(SiteGroups.tree(groups)).ifPresent(flaw -> {
                throw yaml.wrong(name, flaw);
            });
        }
    }

    private String text(final Node node) {
        return yaml.text(node, EXPECTED);
    }
}
