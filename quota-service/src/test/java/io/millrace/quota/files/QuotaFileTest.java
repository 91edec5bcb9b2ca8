package io.millrace.quota.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaPeriod;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.quota.domain.quota.QuotaFileContent;
import io.millrace.quota.domain.quota.QuotaFileEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuotaFileTest {

    @TempDir
    private Path folder;

    @Test
    void reads_clusters_users_and_cores() throws IOException {
        final Path file = file("""
                quotas:
                  alpha:
                    anna: 16   # the turbine project
                    bob.b@hpc.example: 0
                  beta:
                """);

        assertThat(QuotaFile.read(file).quotas())
                .containsExactly(
                        new QuotaFileEntry(ClusterId.of("alpha"), UserName.of("anna"), 16),
                        new QuotaFileEntry(ClusterId.of("alpha"), UserName.of("bob.b@hpc.example"), 0));
        assertThat(QuotaFile.read(file("")).quotas()).isEmpty();
    }

    @Test
    void an_error_names_line_and_column() throws IOException {
        assertWrong("quotas:\n  alpha:\n    anna: many\n", "line 3, column 11: 'many' is not a whole number");
        assertWrong("quotas:\n  alpha:\n    anna: -1\n", "line 3, column 11: a quota cannot be negative: -1 cores");
        assertWrong("quotas:\n  alpha:\n    anna: 1\n    anna: 2\n", "line 4, column 5: duplicate key 'anna'");
        assertWrong("quotas:\n  Alpha One:\n    anna: 1\n", "'Alpha One' is not a valid cluster name");
        assertWrong("quota:\n", "line 1, column 1: 'quota' is not a known key; expected quotas, groups");
        assertWrong("quotas: [1]\n", "line 1, column 9: expected a mapping");
        assertWrong("quotas:\n  alpha: {anna: 99999999999}\n", "99999999999 cores are too many: use at most 100000000");
        assertWrong("quotas: {\n", "line 2");
        assertWrong(
                "quotas:\n  alpha:\n    anna: 1\n    bob: 2\n    cleo: -3\n    dora: 4\n    emil: 5\n",
                "line 5, column 11: a quota cannot be negative: -3 cores");
    }

    @Test
    void reads_projects_groups_all_clusters_terms_and_periods() throws IOException {
        final QuotaFileContent site = QuotaFile.read(file("""
                quotas:
                  alpha:
                    project:physics:
                      cores: 64
                      gpus: 8
                      borrowingLimit: 128
                      lendingLimit: 32
                      periods:
                        - {from: 2026-03-09T00:00:00+01:00, until: 2026-03-16T00:00:00+01:00, cores: 256}
                  "*":
                    anna: 32
                groups:
                  science: [anna, project:physics, group:chemistry]
                """));

        final QuotaPeriod week = new QuotaPeriod(
                Instant.parse("2026-03-08T23:00:00Z"), Instant.parse("2026-03-15T23:00:00Z"), 256, null);
        assertThat(site.quotas())
                .containsExactly(
                        new QuotaFileEntry(
                                ClusterId.of("alpha"),
                                QuotaHolder.of("project:physics"),
                                64,
                                new QuotaTerms(8, 128, 32, List.of(week))),
                        new QuotaFileEntry(null, QuotaHolder.of("anna"), 32, QuotaTerms.NONE));
        assertThat(site.groups())
                .containsOnly(Map.entry(
                        QuotaHolder.of("group:science"),
                        Set.of(
                                QuotaHolder.of("anna"),
                                QuotaHolder.of("project:physics"),
                                QuotaHolder.of("group:chemistry"))));
    }

    @Test
    void an_invalid_quota_names_line_and_column() throws IOException {
        assertWrong(
                "quotas: {alpha: {anna: {cores: 1, gpu: 2}}}\n",
                "line 1, column 35: 'gpu' is not a known key; expected cores, gpus, borrowingLimit, lendingLimit, periods");
        assertWrong("quotas: {alpha: {anna: {gpus: 2}}}\n", "line 1, column 24: 'cores' is missing");
        assertWrong(
                "quotas: {alpha: {anna: {cores: 1, lendingLimit: -2}}}\n",
                "a quota cannot be negative: -2 lendingLimit");
        assertWrong("quotas: {alpha: {anna: 200000000}}\n", "200000000 cores are too many");
        assertWrong(
                "quotas: {'*': {anna: {cores: 1, lendingLimit: 2}}}\n",
                "borrowingLimit and lendingLimit apply to quotas of one cluster");
        assertWrong("quotas: {alpha: {'group:': 1}}\n", "'' is not a valid group name");
        final String day = "{from: 2026-03-0%dT00:00:00Z, until: 2026-03-0%dT00:00:00Z, cores: 1}";
        assertWrong(periods(day.formatted(1, 3) + ", " + day.formatted(2, 4)), "two periods overlap");
        assertWrong(periods(day.formatted(3, 3)), "a period ends after it begins");
        assertWrong(periods("{from: monday, until: friday, cores: 1}"), "'monday' is not a valid time");
        assertWrong("groups:\n  a: [group:b]\n  b: [group:a]\n", "line 3, column 3: group:a is within itself");
        assertWrong("groups:\n  a: [anna]\n  b: [anna]\n", "anna is in group:a and in group:b");
        assertWrong("groups:\n  a: [anna, anna]\n", "line 2, column 3: a member is listed twice");
        assertWrong("groups: {a: anna}\n", "expected a list");
    }

    private static String periods(final String periods) {
        return "quotas: {alpha: {anna: {cores: 1, periods: [" + periods + "]}}}\n";
    }

    @Test
    void a_missing_file_is_named() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QuotaFile.read(folder.resolve("nowhere.yaml")))
                .withMessageContaining("nowhere.yaml cannot be read");
    }

    private void assertWrong(final String text, final String where) throws IOException {
        final Path file = file(text);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> QuotaFile.read(file))
                .withMessageContaining(where);
    }

    private Path file(final String text) throws IOException {
        return Files.writeString(Files.createTempFile(folder, "quotas", ".yaml"), text);
    }
}
