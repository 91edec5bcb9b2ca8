package io.millrace.quota.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.quota.BudgetGrant;
import io.millrace.model.quota.BudgetGrant.Exhausted;
import io.millrace.model.quota.BudgetGrant.Refill;
import io.millrace.model.quota.PeriodKind;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.quota.domain.budget.BudgetRules;
import io.millrace.quota.domain.budget.JobRate;
import io.millrace.quota.domain.quota.GroupMemberships;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BudgetFileTest {

    private static final GroupMemberships MEMBERS =
            new GroupMemberships(Map.of(QuotaHolder.of("anna"), Set.of("students")));

    @TempDir
    private Path folder;

    @Test
    void reads_zone_factors_and_budgets() throws IOException {
        final BudgetRules rules = read("""
            zone: Europe/Berlin
            factors: {alpha: 0.5}
            class-factors: {urgent: 1.333, "at night": 0.250}
            close-after: 14d
            budgets:
              default:
                month: {core-hours: 100}
              users:
                anna:
                  week: {core-hours: 20.5, gpu-hours: 1, refill: daily, carry-over: 25, exhausted: borrow}
                  year: {gpu-hours: 0, exhausted: last, cancel-running: true}
              projects:
                physics: {month: {core-hours: 5000}}
              groups:
                students: {month: {core-hours: 0, refill: at-start, exhausted: hold}}
            """);

        assertThat(rules.zone()).isEqualTo(ZoneId.of("Europe/Berlin"));
        assertThat(rules.tariff().rate(ClusterId.of("alpha"), List.of("at night")))
                .isEqualTo(new JobRate(500, "at night", 250));
        assertThat(rules.closeAfter()).isEqualTo(Duration.ofDays(14));
        assertThat(rules.byDefault())
                .containsExactly(
                        new BudgetGrant(PeriodKind.MONTH, 360_000L, null, Refill.AT_START, 0, Exhausted.HOLD, false));
        assertThat(rules.grants().get(QuotaHolder.of(UserName.of("anna"))))
                .containsExactly(
                        new BudgetGrant(PeriodKind.WEEK, 73_800L, 3600L, Refill.DAILY, 25, Exhausted.BORROW, false),
                        new BudgetGrant(PeriodKind.YEAR, null, 0L, Refill.AT_START, 0, Exhausted.LAST, true));
        assertThat(rules.grants())
                .containsKeys(
                        QuotaHolder.of(ProjectName.of("physics")), new QuotaHolder(QuotaHolder.Kind.GROUP, "students"));
        assertThat(read("").isSome()).isFalse();
    }

    @Test
    void an_error_names_line_and_column() throws IOException {
        assertWrong(
                "zone: Mars/Base\n",
                "line 1, column 7: 'Mars/Base' is not a valid time zone: use a name such as Europe/Berlin");
        assertWrong("factors: {alpha: 101}\n", "line 1, column 11: '101' is out of range: a factor is 0 to 100");
        assertWrong("factors: {alpha: 0.3333}\n", "line 1, column 11: '0.3333' has more than three decimal places");
        assertWrong(
                "factors: {alpha: 50}\nclass-factors: {urgent: 3}\n",
                "times the highest class factor must be at most 100");
        assertWrong("class-factors: {urgent: -1}\n", "line 1, column 17: '-1' is out of range: a factor is 0 to 100");
        assertWrong("close-after: soon\n", "line 1, column 14: 'soon' is not a valid duration");
        assertWrong(
                "budget:\n", "line 1, column 1: 'budget' is not a known key; expected zone, factors, class-factors");
        assertWrong("budgets: {user: {}}\n", "line 1, column 11: 'user' is not a known key; expected default, users");
        assertWrong("budgets: {default: {day: {core-hours: 1}}}\n", "'day' is not one of week, month, year");
        assertWrong("budgets: {default: {week: {core-hours: lots}}}\n", "column 40: 'lots' is not a number");
        assertWrong(
                "budgets: {default: {week: {core-hours: -1}}}\n",
                "'-1' is out of range: an amount of core-hours is 0 to");
        assertWrong("budgets: {default: {week: {core-hours: 1e300}}}\n", "'1E+300' is out of range");
        assertWrong(
                "budgets: {default: {week: {refill: daily}}}\n",
                "a budget needs 'core-hours', 'gpu-hours' or both: add one");
        assertWrong(
                "budgets: {default: {week: {core-hours: 1, refill: hourly}}}\n",
                "'hourly' is not one of at-start, daily");
        assertWrong(
                "budgets: {default: {week: {core-hours: 1, exhausted: kill}}}\n",
                "'kill' is not one of hold, borrow, last");
        assertWrong(
                "budgets: {default: {week: {core-hours: 1, carry-over: 101}}}\n",
                "'101' is out of range: a percentage is 0 to 100");
        assertWrong("budgets: {default: {week: {core-hours: 1, cancel-running: maybe}}}\n", "expected true or false");
        assertWrong("budgets: {users: {-rf: {week: {core-hours: 1}}}}\n", "'-rf' is not a valid user name");
        assertWrong("budgets: {groups: {staff: {week: {core-hours: 1}}}}\n", "group 'staff' has no members");
        assertWrong("budgets:\n  users:\n    anna:\n    anna:\n", "line 4, column 5: duplicate key 'anna'");
        assertWrong("budgets: {\n", "line 2");
    }

    @Test
    void a_missing_file_is_named() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BudgetFile.read(folder.resolve("nowhere.yaml"), MEMBERS))
                .withMessageContaining("nowhere.yaml cannot be read");
    }

    private BudgetRules read(final String text) throws IOException {
        return BudgetFile.read(Files.writeString(Files.createTempFile(folder, "budgets", ".yaml"), text), MEMBERS);
    }

    private void assertWrong(final String text, final String where) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(text)).withMessageContaining(where);
    }
}
