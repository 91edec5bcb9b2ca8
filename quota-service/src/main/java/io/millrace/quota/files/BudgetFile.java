package io.millrace.quota.files;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.quota.domain.budget.BudgetGrant;
import io.millrace.quota.domain.budget.BudgetHolder;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.PeriodKind;
import io.millrace.quota.domain.budget.Tariff;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.yaml.Figures;
import io.millrace.yaml.MarkedYaml;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
 * Reads the site's budgets; the guide shows the file. One with an error is refused as a whole, with line and column, so that nothing is
 * half applied.
 */
public final class BudgetFile {

    private static final String ROOT = "'zone:', 'factors:', 'class-factors:', 'close-after:' and 'budgets:'";
    private static final String SECTIONS = "'default:', 'users:', 'projects:' and 'groups:'";
    private static final String NAMES = "names, each with 'week:', 'month:' or 'year:'";
    private static final String CALENDARS = "'week:', 'month:' or 'year:'";

    private final MarkedYaml yaml;
    private final GroupMemberships members;
    private final GrantReader grantReader;
    private final Map<BudgetHolder, List<BudgetGrant>> grants = new HashMap<>();
    private final Map<ClusterId, Long> rates = new HashMap<>();
    private final Map<String, Long> classRates = new HashMap<>();
    private List<BudgetGrant> byDefault = List.of();
    private Duration closeAfter = BudgetRules.CLOSE_AFTER;
    private ZoneId zone = ZoneId.systemDefault();

    private BudgetFile(final MarkedYaml yaml, final GroupMemberships members) {
        this.yaml = yaml;
        this.members = members;
        this.grantReader = new GrantReader(yaml);
    }

    /**
     * @param members who is in which group
     * @throws IllegalArgumentException if the file cannot be read or holds an error; says where
     */
    public static BudgetRules read(final Path path, final GroupMemberships members) {
        final MarkedYaml yaml = new MarkedYaml("budget file " + path);
        final BudgetFile file = new BudgetFile(yaml, members);
        return yaml.root(path).map(file::readRoot).orElseGet(() -> file.rules(Tariff.FLAT));
    }

    private BudgetRules readRoot(final Node root) {
        for (final NodeTuple entry : yaml.entries(root, ROOT)) {
            final Node value = entry.getValueNode();
            switch (yaml.text(entry.getKeyNode(), ROOT)) {
                case "zone" -> zone = yaml.zone(value);
                case "factors" -> yaml.entries(value, "lines 'cluster: factor'").forEach(this::readFactor);
                case "class-factors" ->
                    yaml.entries(value, "lines 'class: factor'").forEach(this::readClassFactor);
                case "close-after" -> closeAfter = yaml.read(value, "a span such as 7d", Figures::span);
                case "budgets" -> yaml.entries(value, SECTIONS).forEach(this::readSection);
                default -> throw yaml.wrong(entry.getKeyNode(), "expected " + ROOT);
            }
        }
        return rules(yaml.checked(root, () -> new Tariff(rates, classRates)));
    }

    private BudgetRules rules(final Tariff tariff) {
        return new BudgetRules(zone, tariff, grants, byDefault, members, closeAfter);
    }

    private void readFactor(final NodeTuple entry) {
        rates.put(name(entry.getKeyNode(), ClusterId::of), factor(entry.getValueNode()));
    }

    private void readClassFactor(final NodeTuple entry) {
        classRates.put(yaml.text(entry.getKeyNode(), "the name of a class"), factor(entry.getValueNode()));
    }

    private long factor(final Node node) {
        return grantReader.thousandths(node, "a factor from 0 to 100", 100);
    }

    private void readSection(final NodeTuple entry) {
        final Node value = entry.getValueNode();
        switch (yaml.text(entry.getKeyNode(), SECTIONS)) {
            case "default" -> byDefault = calendars(value);
            case "users" -> readNamed(value, name -> BudgetHolder.user(UserName.of(name)));
            case "projects" -> readNamed(value, name -> BudgetHolder.project(ProjectName.of(name)));
            case "groups" -> readNamed(value, this::group);
            default -> throw yaml.wrong(entry.getKeyNode(), "expected " + SECTIONS);
        }
    }

    private BudgetHolder group(final String name) {
        if (!members.hasMembers(name)) {
            throw new IllegalArgumentException("group '" + name
                    + "' has no members: name them under 'groups:' in the quota file (millrace.quota.file), as in "
                    + name
                    + ": [anna, bob]");
        }
        return BudgetHolder.group(name);
    }

    private void readNamed(final Node section, final Function<String, BudgetHolder> subject) {
        for (final NodeTuple entry : yaml.entries(section, NAMES)) {
            grants.put(name(entry.getKeyNode(), subject), calendars(entry.getValueNode()));
        }
    }

    private <T> T name(final Node node, final Function<String, T> reader) {
        return yaml.read(node, "a name", reader);
    }

    private List<BudgetGrant> calendars(final Node node) {
        final List<BudgetGrant> all = new ArrayList<>();
        for (final NodeTuple entry : yaml.entries(node, CALENDARS)) {
            all.add(grantReader.read(yaml.word(entry.getKeyNode(), PeriodKind.values()), entry.getValueNode()));
        }
        return all;
    }
}
