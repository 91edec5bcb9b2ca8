package io.millrace.quota.files;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetGrant.Exhausted;
import io.millrace.model.quota.BudgetGrant.Refill;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.Tariff;
import io.millrace.quota.domain.quota.GroupMemberships;
import io.millrace.sitefiles.InvalidEntryException;
import io.millrace.sitefiles.YamlFile;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads the budgets of the site; the guide shows the file. */
public final class BudgetFile {

    private static final BigDecimal HOUR_S = BigDecimal.valueOf(3600);
    private static final long LARGEST_H = 1_000_000_000_000L;

    private BudgetFile() {}

    /**
     * @param members the groups of each user and project
     * @throws IllegalArgumentException if the file cannot be read or has an error; names line and column
     */
    public static BudgetRules read(final Path path, final GroupMemberships members) {
        return YamlFile.read("budget file", path, Content.class, content -> content.convert(members));
    }

    private record Content(
            @Nullable ZoneId zone,
            @Nullable Map<ClusterId, BigDecimal> factors,
            @Nullable Map<String, BigDecimal> classFactors,
            @Nullable Duration closeAfter,
            @Nullable Section budgets) {

        private BudgetRules convert(final GroupMemberships members) {
            final Section section = budgets == null ? Section.NONE : budgets;
            return new BudgetRules(
                    zone == null ? ZoneId.systemDefault() : zone,
                    new Tariff(permille(factors, "factors"), permille(classFactors, "class-factors")),
                    section.grants(members),
                    grants(section.byDefault),
                    members,
                    closeAfter == null ? BudgetRules.CLOSE_AFTER : closeAfter);
        }

        private static <K> Map<K, Long> permille(final @Nullable Map<K, BigDecimal> factors, final String section) {
            return orEmpty(factors).entrySet().stream()
                    .collect(Collectors.toMap(
                            Map.Entry::getKey,
                            line -> YamlFile.entry(() -> permille(line.getValue()), section, "" + line.getKey())));
        }

        private static long permille(final BigDecimal factor) {
            final BigDecimal permille =
                    inRange(factor, 100, "a factor").movePointRight(3).stripTrailingZeros();
            if (permille.scale() > 0) {
                throw new IllegalArgumentException("'" + factor + "' has more than three decimal places: round it");
            }
            return permille.longValueExact();
        }
    }

    private record Section(
            @JsonProperty("default") @Nullable Map<PeriodKind, Line> byDefault,
            @Nullable Map<UserName, Map<PeriodKind, Line>> users,
            @Nullable Map<ProjectName, Map<PeriodKind, Line>> projects,
            @Nullable Map<String, Map<PeriodKind, Line>> groups) {

        private static final Section NONE = new Section(null, null, null, null);

        private Map<QuotaHolder, List<BudgetGrant>> grants(final GroupMemberships members) {
            final Map<QuotaHolder, List<BudgetGrant>> grants = new HashMap<>();
            add(users, QuotaHolder::of, grants);
            add(projects, QuotaHolder::of, grants);
            requireMembers(orEmpty(groups).keySet(), members);
            add(groups, group -> new QuotaHolder(QuotaHolder.Kind.GROUP, group), grants);
            return grants;
        }

        private static <K> void add(
                final @Nullable Map<K, Map<PeriodKind, Line>> section,
                final Function<K, QuotaHolder> holder,
                final Map<QuotaHolder, List<BudgetGrant>> grants) {
            orEmpty(section).forEach((name, periods) -> grants.put(holder.apply(name), BudgetFile.grants(periods)));
        }

        private static void requireMembers(final Set<String> groups, final GroupMemberships members) {
            for (final String group : groups) {
                if (!members.hasMembers(group)) {
                    throw new InvalidEntryException(
                            "group '" + group + "' has no members: add them under 'groups:' in the quota file"
                                    + " (millrace.quota.file), such as " + group + ": [anna, bob]",
                            "budgets",
                            "groups",
                            group);
                }
            }
        }
    }

    private record Line(
            @Nullable BigDecimal coreHours,
            @Nullable BigDecimal gpuHours,
            @Nullable Refill refill,
            @Nullable Integer carryOver,
            @Nullable Exhausted exhausted,
            @Nullable Boolean cancelRunning) {

        private Line {
            seconds(coreHours, "core-hours");
            seconds(gpuHours, "gpu-hours");
            if (coreHours == null && gpuHours == null) {
                throw new IllegalArgumentException("a budget needs 'core-hours', 'gpu-hours' or both: add one");
            }
            if (carryOver != null) {
                YamlFile.entry(() -> inRange(BigDecimal.valueOf(carryOver), 100, "a percentage"), "carry-over");
            }
        }

        private BudgetGrant grant(final PeriodKind per) {
            return new BudgetGrant(
                    per,
                    seconds(coreHours, "core-hours"),
                    seconds(gpuHours, "gpu-hours"),
                    refill == null ? Refill.AT_START : refill,
                    carryOver == null ? 0 : carryOver,
                    exhausted == null ? Exhausted.HOLD : exhausted,
                    Boolean.TRUE.equals(cancelRunning));
        }

        private static @Nullable Long seconds(final @Nullable BigDecimal hours, final String key) {
            return hours == null
                    ? null
                    : Long.valueOf(YamlFile.entry(
                            () -> inRange(hours, LARGEST_H, "an amount of " + key)
                                    .multiply(HOUR_S)
                                    .setScale(0, RoundingMode.DOWN)
                                    .longValueExact(),
                            key));
        }
    }

    private static List<BudgetGrant> grants(final @Nullable Map<PeriodKind, Line> periods) {
        return orEmpty(periods).entrySet().stream()
                .map(line ->
                        YamlFile.required(line.getValue(), line.getKey().name()).grant(line.getKey()))
                .toList();
    }

    private static BigDecimal inRange(final BigDecimal number, final long largest, final String what) {
        if (number.signum() < 0 || number.compareTo(BigDecimal.valueOf(largest)) > 0) {
            throw new IllegalArgumentException("'" + number + "' is out of range: " + what + " is 0 to " + largest);
        }
        return number;
    }

    private static <K, V> Map<K, V> orEmpty(final @Nullable Map<K, V> map) {
        return Objects.requireNonNullElse(map, Map.of());
    }
}
