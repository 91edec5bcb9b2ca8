package io.millrace.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.policy.Quota;
import io.millrace.model.policy.QuotaGroup;
import io.millrace.model.policy.QuotaHolder;
import io.millrace.quota.domain.FileMerge;
import io.millrace.quota.domain.GroupTree;
import io.millrace.quota.domain.QuotaFileEntry;
import io.millrace.quota.domain.SiteQuotas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * Reads the site's quotas: {@code quotas: { cluster: { user: cores } }} and {@code groups: { group: [ members ] }}. A file with an error
 * is refused as a whole, with line and column, so that nothing is half applied.
 */
public final class QuotaFile {

    private static final String EXPECTED =
            "expected 'quotas:' with clusters, each with lines 'user: cores', and 'groups:' with lines 'group: [members]'";

    private final QuotaYaml yaml;
    private final List<QuotaFileEntry> entries = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private final Map<QuotaHolder, Set<QuotaHolder>> groups = new LinkedHashMap<>();

    private QuotaFile(final Path path) {
        this.yaml = new QuotaYaml(path, EXPECTED);
    }

    /** @throws IllegalArgumentException if the file cannot be read or holds an error; says where */
    public static SiteQuotas read(final Path path) {
        final QuotaFile file = new QuotaFile(path);
        try (var text = Files.newBufferedReader(path)) {
            final Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(text);
            if (root != null) {
                file.readRoot(root);
            }
        } catch (final MarkedYAMLException e) {
            throw new IllegalArgumentException("quota file " + path + ": " + e.getMessage(), e);
        } catch (final IOException e) {
            throw new IllegalArgumentException("quota file " + path + " cannot be read: " + e, e);
        }
        return new SiteQuotas(file.entries, file.groups);
    }

    private void readRoot(final Node root) {
        for (final NodeTuple section : yaml.mapping(root)) {
            switch (yaml.text(section.getKeyNode())) {
                case "quotas" -> readQuotas(section.getValueNode());
                case "groups" -> readGroups(section.getValueNode());
                default ->
                    throw yaml.wrong(
                            section.getKeyNode(),
                            "'" + yaml.text(section.getKeyNode()) + "' is not known; " + EXPECTED);
            }
        }
    }

    private void readQuotas(final Node clusters) {
        for (final NodeTuple cluster : yaml.mapping(clusters)) {
            for (final NodeTuple holder : yaml.mapping(cluster.getValueNode())) {
                readQuota(cluster.getKeyNode(), holder.getKeyNode(), holder.getValueNode());
            }
        }
    }

    private void readQuota(final Node cluster, final Node holder, final Node said) {
        final QuotaYaml.Figures figures = yaml.figures(said);
        final String on = yaml.text(cluster);
        final QuotaFileEntry entry = yaml.checked(
                holder,
                () -> new QuotaFileEntry(
                        on.equals(Quota.EVERYWHERE) ? null : ClusterId.of(on),
                        QuotaHolder.of(yaml.text(holder)),
                        figures.cores(),
                        figures.terms()));
        if (!seen.add(entry.key())) {
            throw yaml.wrong(holder, "a second quota for " + entry.key());
        }
        entries.add(entry);
    }

    /** After each group the tree is looked at, so that an error is told where it comes in. */
    private void readGroups(final Node all) {
        for (final NodeTuple line : yaml.mapping(all)) {
            final Node name = line.getKeyNode();
            final QuotaHolder group =
                    yaml.checked(name, () -> new QuotaHolder(QuotaHolder.Kind.GROUP, yaml.text(name)));
            final Set<QuotaHolder> members = new LinkedHashSet<>();
            for (final Node member : yaml.items(line.getValueNode())) {
                if (!members.add(yaml.checked(member, () -> QuotaHolder.of(yaml.text(member))))) {
                    throw yaml.wrong(member, "'" + yaml.text(member) + "' is named twice");
                }
            }
            if (groups.put(group, members) != null) {
                throw yaml.wrong(name, "a second group '" + yaml.text(name) + "'");
            }
            GroupTree.flaw(tree()).ifPresent(flaw -> {
                throw yaml.wrong(name, flaw);
            });
        }
    }

    private List<QuotaGroup> tree() {
        return groups.entrySet().stream()
                .map(group ->
                        new QuotaGroup(group.getKey(), group.getValue(), FileMerge.FILE, "as read", Instant.EPOCH, 1))
                .toList();
    }
}
