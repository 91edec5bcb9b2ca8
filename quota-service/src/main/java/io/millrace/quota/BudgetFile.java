package io.millrace.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.Calendar;
import io.millrace.quota.domain.budget.Grant;
import io.millrace.quota.domain.budget.Subject;
import io.millrace.quota.domain.budget.Tariff;
import io.millrace.yaml.MarkedYaml;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * Reads the site's budgets; the guide shows the file. One with an error is refused as a whole, with line and column, so that nothing is
 * half applied.
 */
public final class BudgetFile {

    private static final String ROOT = "'zone:', 'factors:' and 'budgets:'";
    private static final String SECTIONS = "'default:', 'users:', 'projects:' and 'groups:'";
    private static final String NAMES = "names, each with 'week:', 'month:' or 'year:'";
    private static final String CALENDARS = "'week:', 'month:' or 'year:'";

    private final MarkedYaml yaml;
    private final Map<UserName, Set<String>> members;
    private final GrantReader grantReader;
    private final Map<Subject, List<Grant>> grants = new HashMap<>();
    private final Map<ClusterId, Long> rates = new HashMap<>();
    private List<Grant> byDefault = List.of();
    private ZoneId zone = ZoneId.systemDefault();

    private BudgetFile(final MarkedYaml yaml, final Map<UserName, Set<String>> members) {
        this.yaml = yaml;
        this.members = members;
        this.grantReader = new GrantReader(yaml);
    }

    /**
     * @param members the groups of each user
     * @throws IllegalArgumentException if the file cannot be read or holds an error; says where
     */
    public static BudgetRules read(final Path path, final Map<UserName, Set<String>> members) {
        final MarkedYaml yaml = new MarkedYaml("budget file " + path);
        final BudgetFile file = new BudgetFile(yaml, members);
        yaml.root(path).ifPresent(file::readRoot);
        return new BudgetRules(file.zone, new Tariff(file.rates), file.grants, file.byDefault, members);
    }

    private void readRoot(final Node root) {
        for (final NodeTuple entry : yaml.entries(root, ROOT)) {
            final Node value = entry.getValueNode();
            switch (yaml.text(entry.getKeyNode(), ROOT)) {
                case "zone" -> zone = zone(value);
                case "factors" -> yaml.entries(value, "lines 'cluster: factor'").forEach(this::readFactor);
                case "budgets" -> yaml.entries(value, SECTIONS).forEach(this::readSection);
                default -> throw yaml.wrong(entry.getKeyNode(), "expected " + ROOT);
            }
        }
    }

    private ZoneId zone(final Node node) {
        try {
            return ZoneId.of(yaml.text(node, "a time zone"));
        } catch (final DateTimeException e) {
            throw yaml.wrong(node, "expected a time zone such as Europe/Berlin: " + e.getMessage());
        }
    }

    private void readFactor(final NodeTuple entry) {
        final long rate = grantReader.figure(entry.getValueNode(), "a factor from 0 to 100", Tariff.PAR, 100);
        rates.put(name(entry.getKeyNode(), ClusterId::of), rate);
    }

    private void readSection(final NodeTuple entry) {
        final Node value = entry.getValueNode();
        switch (yaml.text(entry.getKeyNode(), SECTIONS)) {
            case "default" -> byDefault = calendars(value);
            case "users" -> readNamed(value, name -> Subject.user(UserName.of(name)));
            case "projects" -> readNamed(value, name -> Subject.project(ProjectName.of(name)));
            case "groups" -> readNamed(value, this::group);
            default -> throw yaml.wrong(entry.getKeyNode(), "expected " + SECTIONS);
        }
    }

    private Subject group(final String name) {
        if (members.values().stream().noneMatch(groups -> groups.contains(name))) {
            throw new IllegalArgumentException(
                    "group '" + name + "' has no members: say them with millrace.quota.groups." + name + "=anna,bob");
        }
        return Subject.group(name);
    }

    private void readNamed(final Node section, final Function<String, Subject> subject) {
        for (final NodeTuple entry : yaml.entries(section, NAMES)) {
            grants.put(name(entry.getKeyNode(), subject), calendars(entry.getValueNode()));
        }
    }

    private <T> T name(final Node node, final Function<String, T> reader) {
        return yaml.checked(node, () -> reader.apply(yaml.text(node, "a name")));
    }

    private List<Grant> calendars(final Node node) {
        final List<Grant> all = new ArrayList<>();
        for (final NodeTuple entry : yaml.entries(node, CALENDARS)) {
            all.add(grantReader.read(calendar(entry.getKeyNode()), entry.getValueNode()));
        }
        return all;
    }

    private Calendar calendar(final Node node) {
        final String word = yaml.text(node, CALENDARS);
        return Arrays.stream(Calendar.values())
                .filter(calendar -> calendar.name().toLowerCase(Locale.ROOT).equals(word))
                .findFirst()
                .orElseThrow(() -> yaml.wrong(
                        node,
                        "'" + word + "' is none of "
                                + Arrays.stream(Calendar.values())
                                        .map(calendar -> calendar.name().toLowerCase(Locale.ROOT))
                                        .collect(Collectors.joining(", "))));
    }
}
