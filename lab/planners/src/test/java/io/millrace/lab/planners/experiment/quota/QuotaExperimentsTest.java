package io.millrace.lab.planners.experiment.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.lab.planners.Main;
import io.millrace.lab.planners.experiment.ConfidenceInterval;
import io.millrace.simulator.EventOrder;
import io.millrace.simulator.Scenario;
import io.millrace.simulator.Simulation;
import io.millrace.simulator.quota.HardLimits;
import io.millrace.simulator.swf.SwfJob;
import io.millrace.simulator.workload.Range;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class QuotaExperimentsTest {

    private static final UpqppSetting SMALL = new UpqppSetting(300, 6, 60, 2);

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final PrintStream quiet = new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8);
    private final PrintStream loud = new PrintStream(err, true, StandardCharsets.UTF_8);

    @Test
    void the_confidence_interval_is_that_of_student() {
        assertThat(ConfidenceInterval.student(9)).isEqualTo(2.262, within(0.001));
        final ConfidenceInterval mean = ConfidenceInterval.of(1, 2, 3, 4);
        assertThat(mean.mean()).isEqualTo(2.5);
        assertThat(mean.half()).isEqualTo(3.182 * 1.29099 / 2, within(0.02));
    }

    @Test
    void idle_cores_are_counted_after_each_round() {
        // Of 2 hours x 10 cores: 5 in the first round, 8 in both; the third job ends within the second round and counts
        // there.
        final List<SwfJob> jobs = List.of(
                new SwfJob(1, 0, 3600, 4, 3600, 1, -1),
                new SwfJob(2, 0, 7200, 3, 7200, 2, -1),
                new SwfJob(3, 3600, 60, 1, 60, 1, -1));
        final QuotaMetrics figures = QuotaMetrics.of(
                Simulation.run(jobs, Scenario.of(10, EventOrder.PASS_PER_INSTANT, () -> new HardLimits(10, 5, 3600))),
                10,
                2,
                5);
        assertThat(figures.idle()).isEqualTo(1 - (7 + 4) / 20.0, within(1e-9));
        assertThat(figures.wasted()).isEqualTo(1 - (4 + 6 + 1 / 60.0) / 20.0, within(1e-9));
    }

    @Test
    void sharing_leaves_less_idle_and_users_within_quota_do_not_wait() {
        final Map<String, QuotaMetrics> figures =
                SMALL.run(new UpqppSetting.Jobs("small", new Range(1, 40), new Range(1, 20), 1, false), 1);
        final QuotaMetrics hard = figures.get(UpqppSetting.HARD);
        final QuotaMetrics ours = figures.get(UpqppSetting.DEFAULT);
        assertThat(ours.idle()).isLessThan(hard.idle() - 0.02);
        assertThat(ours.withinQuotaWait_h()).isLessThan(0.2);
        assertThat(ours.preemptions()).isPositive();
        assertThat(figures.get(UpqppSetting.CHECKPOINT).lost()).isLessThan(ours.lost());
        assertThat(figures.get(UpqppSetting.FREE).preemptions()).isZero();
    }

    @Test
    void the_page_has_a_row_for_each_kind_of_jobs() {
        final UpqppResults results = new UpqppResults();
        for (final UpqppSetting.Jobs jobs : UpqppSetting.jobs().subList(0, 2)) {
            results.add(jobs.name(), SMALL.run(jobs, 1));
            results.add(jobs.name(), SMALL.run(jobs, 2));
        }
        final String page = new UpqppPage(SMALL, results).text();
        assertThat(page.lines().filter(line -> line.startsWith("| c 1–20, t 1–20 |")))
                .hasSize(6);
        assertThat(page).contains(" of 2 rows");
        assertThat(UpqppPage.chart(results)).contains("UPQPP, paper").endsWith("</svg>\n");
    }

    @Test
    void with_the_limit_the_second_user_starts_while_the_first_fills_the_cluster() throws IOException {
        assertThat(Main.run(quiet, loud, "experiment", "processor-hours", folder.toString()))
                .isZero();
        assertThat(Files.readString(folder.resolve("processor-hours.md")))
                .contains(
                        "| 694 | root | 550 | 12 | 0:10 | 0:10 | 12:01 | 0:00 | 11:51 |",
                        "| 700 | stud | 200 | 2 | 0:30 | 12:00 | 0:30 | 11:30 | 0:00 |",
                        "job 694: processor-hour limit 9000 of the default (6600 requested; 7800 in use or released"
                                + " before)");
        for (final String picture : List.of("processor-hours-free.svg", "processor-hours-limited.svg")) {
            assertThat(Files.readString(folder.resolve(picture)))
                    .contains(">root</text>", ">stud</text>", ">703</text>")
                    .endsWith("</svg>\n");
        }
    }

    @Test
    void reports_errors() {
        assertThat(Main.run(quiet, loud, "experiment", "upqpp")).isEqualTo(2);
        assertThat(Main.run(quiet, loud, "experiment", "upqpp", folder.toString(), "1"))
                .isEqualTo(2);
        assertThat(Main.run(quiet, loud, "experiment", "processor-hours")).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .contains("Usage: millrace experiment upqpp", "Usage: millrace experiment processor-hours");
    }
}
