package io.millrace.agent.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What each format tells about a job. */
class AccountingFormatTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");

    private static List<RunEnded> read(final AccountingFormat format, final String text) {
        final AccountingReader reader = format.reader(ALPHA, ZoneOffset.UTC);
        final List<EndedJob> jobs = new ArrayList<>();
        text.lines().map(reader::read).flatMap(Optional::stream).forEach(jobs::add);
        reader.atEndOfFile().ifPresent(jobs::add);
        return jobs.stream().flatMap(job -> job.runs().stream().map(job::end)).toList();
    }

    private static List<RunEnded> sample(final AccountingFormat format) {
        return read(format, Samples.text(format));
    }

    private static JobKey key(final String text) {
        return JobKey.of("alpha/" + text);
    }

    private static List<String> jobs(final List<RunEnded> ends) {
        return ends.stream().map(end -> end.job().id().local()).toList();
    }

    @Test
    void slurm_jobs_have_their_request_and_steps_and_unfinished_jobs_are_ignored() {
        final List<RunEnded> ends = sample(AccountingFormat.SLURM);
        assertThat(jobs(ends)).containsExactly("101", "102_3", "103", "105");
        final RunEnded first = ends.getFirst();
        assertThat(first.job()).isEqualTo(key("101@2026-03-01T09:00:00Z"));
        assertThat(first.name()).isEqualTo("solver");
        assertThat(first.owner().value()).isEqualTo("anna");
        assertThat(first.project()).isEqualTo(ProjectName.of("physics"));
        assertThat(first.resources()).isEqualTo(new Resources(8, 2, 16_000, 0));
        assertThat(first.walltime()).isEqualTo(Duration.ofHours(2));
        assertThat(first.startedAt()).isEqualTo(Instant.parse("2026-03-01T09:05:00Z"));
        assertThat(first.endedAt()).isEqualTo(Instant.parse("2026-03-01T10:05:00Z"));
        assertThat(first.outcome()).isEqualTo(new RunOutcome.Exited(0));
        assertThat(ends.get(1).outcome()).isEqualTo(new RunOutcome.TimedOut());
        assertThat(ends.get(1).name()).isEqualTo("a|b");
        assertThat(ends.get(2).startedAt()).isNull();
        assertThat(ends.get(3).resources().gpus()).isEqualTo(1);
        assertThat(ends.get(3).outcome()).isEqualTo(new RunOutcome.Exited(3));
    }

    @Test
    void times_of_sacct_are_in_the_given_zone_unless_they_are_seconds() {
        final String header =
                Samples.text(AccountingFormat.SLURM).lines().findFirst().orElseThrow();
        final String row = "%s|COMPLETED|0:0|n1|cpu=1,node=1|cpu=1|10|anna||main|x";
        final AccountingReader reader = AccountingFormat.SLURM.reader(ALPHA, ZoneOffset.ofHours(2));
        reader.read(header);
        assertThat(reader.read(row.formatted("1|2026-03-01T09:00:00|2026-03-01T09:00:00|2026-03-01T10:00:00"))
                        .orElseThrow()
                        .job())
                .isEqualTo(key("1@2026-03-01T07:00:00Z"));
        assertThat(reader.read(row.formatted("1|1772355600|1772355600|1772359200"))
                        .orElseThrow()
                        .job())
                .isEqualTo(key("1@2026-03-01T09:00:00Z"));
    }

    @Test
    void pbs_jobs_have_all_their_runs_and_a_deleted_job_counts_as_cancelled() {
        final List<RunEnded> ends = sample(AccountingFormat.PBS);
        assertThat(jobs(ends)).containsExactly("0.srv", "1.srv", "1.srv");
        assertThat(ends.getFirst().resources()).isEqualTo(new Resources(4, 0, 1024, 0));
        assertThat(ends.getFirst().project()).isEqualTo(ProjectName.of("projA"));
        assertThat(ends.getFirst().coreSeconds()).isEqualTo(4 * 2700);
        assertThat(ends.get(1).outcome()).isEqualTo(new RunOutcome.Requeued());
        assertThat(ends.get(2).outcome()).isEqualTo(new RunOutcome.Cancelled());
    }

    @Test
    void torque_counts_the_cores_of_the_hosts() {
        final List<RunEnded> ends = sample(AccountingFormat.TORQUE);
        assertThat(ends).hasSize(1);
        assertThat(ends.getFirst().resources()).isEqualTo(new Resources(4, 2, 0, 0));
        assertThat(ends.getFirst().outcome()).isEqualTo(new RunOutcome.Exited(1));
        assertThat(ends.getFirst().startedAt()).isEqualTo(Instant.ofEpochSecond(1772355660));
    }

    @Test
    void lsf_array_elements_have_their_index() {
        final List<RunEnded> ends = sample(AccountingFormat.LSF);
        assertThat(jobs(ends)).containsExactly("113[3]", "114");
        assertThat(ends.getFirst().name()).isEqualTo("solver");
        assertThat(ends.getFirst().resources().cores()).isEqualTo(2);
        assertThat(ends.getFirst().project()).isEqualTo(ProjectName.of("projA"));
        assertThat(ends.get(1).startedAt()).isNull();
    }

    @Test
    void htcondor_jobs_end_at_a_banner_an_empty_line_or_the_end_of_the_file() {
        final List<RunEnded> ends = sample(AccountingFormat.HTCONDOR);
        assertThat(jobs(ends)).containsExactly("1234.0", "1234.1", "1235.0");
        final RunEnded first = ends.getFirst();
        assertThat(first.name()).isEqualTo("solver");
        assertThat(first.project()).isEqualTo(ProjectName.of("group_physics"));
        assertThat(first.resources()).isEqualTo(new Resources(4, 0, 2048, 0));
        assertThat(first.walltime()).isEqualTo(Duration.ofHours(1));
        assertThat(first.startedAt()).isEqualTo(Instant.ofEpochSecond(1772355660));
        assertThat(ends.get(1).outcome()).isEqualTo(new RunOutcome.Cancelled());
        assertThat(ends.get(1).endedAt()).isEqualTo(Instant.ofEpochSecond(1772355800));
        assertThat(ends.get(2).name()).isEqualTo("nightly");
        assertThat(ends.get(2).outcome()).isEqualTo(new RunOutcome.Signalled(9));
    }

    @Test
    void cleo_joins_the_lines_of_a_job() {
        final List<RunEnded> ends = sample(AccountingFormat.CLEO);
        assertThat(jobs(ends)).containsExactly("1635", "1640");
        final RunEnded first = ends.getFirst();
        assertThat(first.job()).isEqualTo(key("1635@2026-03-01T09:00:00Z"));
        assertThat(first.name()).isEqualTo("solver");
        assertThat(first.owner().value()).isEqualTo("anna");
        assertThat(first.resources()).isEqualTo(Resources.cores(4));
        assertThat(first.startedAt()).isEqualTo(Instant.parse("2026-03-01T09:05:00Z"));
        assertThat(first.endedAt()).isEqualTo(Instant.parse("2026-03-01T10:05:00Z"));
        assertThat(first.partition().value()).isEqualTo("main");
        assertThat(ends.get(1).job()).isEqualTo(key("1640@2026-03-01T10:07:00Z"));
        assertThat(ends.get(1).outcome()).isEqualTo(new RunOutcome.Signalled(9));
    }

    @Test
    void swf_times_count_from_the_start_of_the_log() {
        final List<RunEnded> ends = sample(AccountingFormat.SWF);
        assertThat(jobs(ends)).containsExactly("1", "2", "3");
        final RunEnded first = ends.getFirst();
        assertThat(first.job()).isEqualTo(key("1@2026-03-01T09:00:00Z"));
        assertThat(first.owner().value()).isEqualTo("user3");
        assertThat(first.project()).isEqualTo(ProjectName.of("group2"));
        assertThat(first.name()).isEqualTo("program7");
        assertThat(first.resources()).isEqualTo(new Resources(4, 0, 2048, 0));
        assertThat(first.coreSeconds()).isEqualTo(4 * 1740);
        assertThat(first.outcome()).isEqualTo(new RunOutcome.Exited(0));
        assertThat(ends.get(1).resources().cores()).isEqualTo(8);
        assertThat(ends.get(1).outcome()).isInstanceOf(RunOutcome.Unknown.class);
        assertThat(ends.get(2).startedAt()).isNull();
    }
}
