package io.millrace.agent.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.agent.wlm.AccountingLine;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ClusterId;
import io.millrace.model.JobKey;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each format tells about a job. */
class AccountingFormatTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");

    private static List<RunEnded> read(final AccountingFormat format, final String text) {
        return read(format.reader(new AccountingFormat.Source(ALPHA, ZoneOffset.UTC)), text);
    }

    private static List<RunEnded> read(final AccountingReader reader, final String text) {
        final List<EndedJob> jobs = new ArrayList<>();
        text.lines().map(reader::read).forEach(line -> {
            if (line instanceof AccountingLine.End end) {
                jobs.addAll(end.jobs());
            }
        });
        jobs.addAll(reader.atEndOfFile());
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
        final String rows = """
            JobID|Submit|Start|End|State|ExitCode|NodeList|AllocTRES|ReqTRES|Timelimit|User|Account|Partition|JobName
            1|2026-03-01T09:00:00|2026-03-01T09:00:00|2026-03-01T10:00:00|COMPLETED|0:0|n1|cpu=1,node=1|cpu=1|10|anna||main|x
            2|1772355600|1772355600|1772359200|COMPLETED|0:0|n1|cpu=1,node=1|cpu=1|10|anna||main|x
            """;
        assertThat(read(AccountingFormat.SLURM.reader(new AccountingFormat.Source(ALPHA, ZoneOffset.ofHours(2))), rows))
                .extracting(RunEnded::job)
                .containsExactly(key("1@2026-03-01T07:00:00Z"), key("2@2026-03-01T09:00:00Z"));
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
        assertThat(jobs(ends)).containsExactly("1636", "1635", "1640");
        assertThat(ends.getFirst().startedAt()).isNull();
        final RunEnded first = ends.get(1);
        assertThat(first.job()).isEqualTo(key("1635@2026-03-01T09:00:00Z"));
        assertThat(first.name()).isEqualTo("solver");
        assertThat(first.owner().value()).isEqualTo("anna");
        assertThat(first.resources()).isEqualTo(Resources.cores(4));
        assertThat(first.startedAt()).isEqualTo(Instant.parse("2026-03-01T09:05:00Z"));
        assertThat(first.endedAt()).isEqualTo(Instant.parse("2026-03-01T10:05:00Z"));
        assertThat(first.partition().value()).isEqualTo("main");
        assertThat(ends.get(2).job()).isEqualTo(key("1640@2026-03-01T10:07:00Z"));
        assertThat(ends.get(2).outcome()).isEqualTo(new RunOutcome.Signalled(9));
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

    private static final String SACCT =
            "JobID|Submit|Start|End|State|ExitCode|NodeList|AllocTRES|ReqTRES|Timelimit|User|Account|Partition|JobName\n";

    private static long seconds(final RunEnded end) {
        return Duration.between(end.startedAt(), end.endedAt()).toSeconds();
    }

    @Test
    void the_components_of_a_heterogeneous_job_are_one_run_with_all_their_resources() {
        final String times = "2026-03-01T09:00:00|2026-03-01T09:05:00|2026-03-01T10:05:00|COMPLETED|0:0|";
        final List<RunEnded> ends = read(
                AccountingFormat.SLURM,
                SACCT + "70+0|" + times + "n1|cpu=8,mem=16G,node=1||02:00:00|anna|phys|main|couple\n"
                        + "71|" + times + "n1|cpu=8,mem=16G,node=1||02:00:00|anna|phys|main|other\n"
                        + "70+1|" + times + "n[2-3]|cpu=56,mem=64G,node=2||02:00:00|anna|phys|main|couple\n"
                        + "70+1.0|" + times + "n2|cpu=56,mem=64G,node=2||||||step\n"
                        + "70+2|" + times + "g1|cpu=8,gres/gpu=4,mem=32G,node=1||02:00:00|anna|phys|gpu|couple\n");
        assertThat(jobs(ends)).containsExactly("70", "71");
        assertThat(ends.getFirst().resources()).isEqualTo(new Resources(72, 4, 112 * 1024, 4));
        assertThat(seconds(ends.getFirst())).isEqualTo(3600);
    }

    @Test
    void gpus_that_slurm_accounts_for_by_type_only_are_counted() {
        final String row =
                "%d|2026-03-01T09:00:00|2026-03-01T09:05:00|2026-03-01T10:05:00|COMPLETED|0:0|g1|%s||60|anna|a|gpu|x\n";
        final List<RunEnded> ends = read(
                AccountingFormat.SLURM,
                SACCT
                        + row.formatted(1, "cpu=8,gres/gpu:a100=2,gres/gpu:h100=1,node=1")
                        + row.formatted(2, "cpu=8,gres/gpu=3,gres/gpu:a100=2,gres/gpu:h100=1,node=1")
                        + row.formatted(3, "cpu=8,gres/gpumem=40,gres/mps:a=1,node=1"));
        assertThat(ends.stream().map(end -> end.resources().gpus())).containsExactly(3, 3, 0);
    }

    @Test
    void an_end_in_the_repeated_hour_is_after_its_start() {
        final List<RunEnded> ends = read(
                AccountingFormat.SLURM.reader(new AccountingFormat.Source(ALPHA, ZoneId.of("Europe/Berlin"))),
                SACCT
                        + "901|2026-10-25T01:00:00|2026-10-25T02:50:00|2026-10-25T02:10:00|COMPLETED|0:0|n1|cpu=8,node=1||60|anna|a|main|x\n"
                        + "902|2026-10-25T01:00:00|2026-10-25T01:30:00|2026-10-25T03:30:00|COMPLETED|0:0|n1|cpu=8,node=1||60|anna|a|main|x\n"
                        + "903|2026-10-25T02:50:00|2026-10-25T02:10:00|2026-10-25T02:20:00|COMPLETED|0:0|n1|cpu=8,node=1||60|anna|a|main|x\n");
        assertThat(ends.stream().map(AccountingFormatTest::seconds)).containsExactly(1200L, 10_800L, 600L);
        final List<RunEnded> cleo =
                read(AccountingFormat.CLEO.reader(new AccountingFormat.Source(ALPHA, ZoneId.of("Europe/Berlin"))), """
                    [Sun Oct 25 02:50:00 2026] main    :RUN 1; anna; 4; ./a
                    [Sun Oct 25 02:10:00 2026] main    :END_TASK 1; anna; 0; 0; 0:20:0
                    [Sun Oct 25 02:20:00 2026] main    :RUN 2; anna; 4; ./a
                    [Sun Oct 25 03:20:00 2026] main    :END_TASK 2; anna; 0; 0; 1:0:0
                    """);
        assertThat(cleo.stream().map(AccountingFormatTest::seconds)).containsExactly(1200L, 3600L);
    }

    @Test
    void users_accounts_and_partitions_have_the_names_that_the_agent_uses() {
        final String row =
                "%d|2026-03-01T09:00:00|2026-03-01T09:05:00|2026-03-01T10:05:00|COMPLETED|0:0|n1|cpu=8,node=1||60|%s|%s|%s|x\n";
        final List<RunEnded> ends = read(
                AccountingFormat.SLURM,
                SACCT
                        + row.formatted(1, "corp\\usera", "phys/theory", "main")
                        + row.formatted(2, "", "my account", ""));
        assertThat(ends.stream().map(RunEnded::owner)).containsExactly(UserName.of("corp_usera"), NameMapping.NO_USER);
        assertThat(ends.stream().map(RunEnded::project))
                .containsExactly(ProjectName.of("phys_theory"), ProjectName.of("my_account"));
        assertThat(ends.stream().map(end -> end.partition().value())).containsExactly("main", "_");
    }

    @Test
    void words_instead_of_times_are_no_limit_and_no_start() {
        final String row = "%d|2026-03-01T09:00:00|%s|2026-03-01T10:05:00|CANCELLED by"
                + " 1000|0:0|%s|cpu=8,mem=0,node=1|cpu=8|%s|anna|a|gpu|x\n";
        final List<RunEnded> ends = read(
                AccountingFormat.SLURM,
                SACCT
                        + row.formatted(1, "2026-03-01T09:05:00", "g1", "UNLIMITED")
                        + row.formatted(2, "None", "None assigned", "Partition_Limit"));
        assertThat(ends).allMatch(end -> end.walltime() == null);
        assertThat(ends.get(1).startedAt()).isNull();
    }

    @Test
    void the_record_of_a_pbs_array_is_not_a_run() {
        final String record = "03/01/2026 10:00:11;E;%s.srv;user=anna group=g jobname=arr queue=workq ctime=1772355600"
                + " start=%d Resource_List.ncpus=4 end=%d Exit_status=0 run_count=1\n";
        for (final AccountingFormat format : List.of(AccountingFormat.PBS, AccountingFormat.TORQUE)) {
            final List<RunEnded> ends = read(
                    format,
                    record.formatted("50[1]", 1772355660, 1772357400)
                            + record.formatted("50[2]", 1772357410, 1772359210)
                            + record.formatted("50[]", 1772355660, 1772359211));
            assertThat(jobs(ends)).containsExactly("50[1].srv", "50[2].srv");
        }
    }

    @Test
    void a_pbs_job_without_an_account_belongs_to_its_project() {
        final String record = "03/01/2026 10:00:00;E;60.srv;user=anna group=g %s jobname=p queue=workq ctime=1772355600"
                + " start=1772355660 Resource_List.ncpus=4 end=1772359200 Exit_status=0 run_count=1\n";
        final List<RunEnded> ends = read(
                AccountingFormat.PBS,
                record.formatted("project=climate")
                        + record.formatted("account=\"climate/cmip 6\" project=_pbs_project_default")
                        + record.formatted("account=\"cost\" project=climate")
                        + record.formatted("project=_pbs_project_default"));
        assertThat(ends.stream().map(RunEnded::project))
                .containsExactly(
                        ProjectName.of("climate"), ProjectName.of("climate_cmip_6"), ProjectName.of("cost"), null);
    }

    @Test
    void an_account_of_torque_can_contain_blanks() {
        final List<RunEnded> ends = read(
                AccountingFormat.TORQUE,
                "03/01/2026 09:30:00;E;60.srv;user=CORP\\anna group=g account=climate/cmip 6 jobname=my run 2"
                        + " queue=gpu ctime=1772355600 start=1772355660 exec_host=n1/0-27"
                        + " Resource_List.nodes=1:ppn=28:gpus=4:default Resource_List.walltime=96:00:00 end=1772357400"
                        + " Exit_status=1\n");
        assertThat(ends.getFirst().owner()).isEqualTo(UserName.of("CORP_anna"));
        assertThat(ends.getFirst().project()).isEqualTo(ProjectName.of("climate_cmip_6"));
        assertThat(ends.getFirst().name()).isEqualTo("my run 2");
        assertThat(ends.getFirst().resources()).isEqualTo(new Resources(28, 0, 0, 4));
    }

    @Test
    void torque_jobs_have_the_cores_of_their_hosts_or_of_their_request() {
        final String record = "03/01/2026 09:30:00;E;61[3].srv;user=anna group=g jobname=a queue=q ctime=1772355600"
                + " start=1772355660 %s Exit_status=-11 end=1772357400 Resource_List.nodect=2\n";
        final List<RunEnded> ends = read(
                AccountingFormat.TORQUE,
                record.formatted("exec_host=n1/3+n1/2+n2/1+n2/0 Resource_List.ncpus=1 Resource_List.nodes=2:ppn=2")
                        + record.formatted("Resource_List.nodes=1:ppn=28:gpus=1:default"));
        assertThat(ends.stream().map(RunEnded::resources))
                .containsExactly(new Resources(4, 2, 0, 0), new Resources(28, 0, 0, 1));
        assertThat(ends).allMatch(end -> end.outcome().equals(new RunOutcome.TimedOut()));
    }

    /** A record with everything up to the exit information; what follows depends on the version. */
    private static String lsf(final String slots, final String requirements, final String hosts, final String later) {
        return "\"JOB_FINISH\" \"10.1\" 1772362800 9001 1201 33882130 " + slots
                + " 1772355600 0 0 1772355700 \"CORP\\anna\" \"gpu\" \"" + requirements
                + "\" \"\" \"\" \"login1\" \"/w/anna\" \"\" \"%J.out\" \"\" \"1772355600.9001\" 0 " + hosts
                + " 32 12.5 \"train\" \"#!/bin/bash;#BSUB -gpu \"\"num=2\"\";python\"" + " 0".repeat(19)
                + " \"\" \"phys/theory\" 0 8 \"\" \"\" 0 102400 0 \"\" \"\" \"\" \"\" 0 \"\" 0" + later + "\n";
    }

    private static String later(
            final String extended, final String usage, final long runLimit_s, final String effective) {
        return " \"\" -1 \"/p/anna\" \"\" \"\" \"\" -1 \"\" \"\" 6160 \"\" 1772355700 \"\" \"\" " + extended + " "
                + usage + " " + runLimit_s + " 0 100352 \"" + effective
                + "\" \"\" -1 \"\" -1 0 \"\" 0 0 \"\" 7100 \"\" 0 \"\"";
    }

    @Test
    void lsf_records_of_newer_versions_have_the_run_limit_the_memory_and_the_gpus() {
        final RunEnded end = read(
                        AccountingFormat.LSF,
                        lsf(
                                "2",
                                "rusage[mem=6000] span[hosts=1]",
                                "2 \"g1\" \"g1\"",
                                later(
                                        "3 1058 1 1040 \"0\" 1042 \"num=2:mode=shared\"",
                                        "1 g1 1306 0 1287 242",
                                        28_800,
                                        "select[(ngpus>0)] rusage[mem=6000.00,ngpus_physical=2.00] span[hosts=1] ")))
                .getFirst();
        assertThat(end.walltime()).isEqualTo(Duration.ofHours(8));
        assertThat(end.resources()).isEqualTo(new Resources(2, 0, 6000, 2));
        assertThat(end.owner()).isEqualTo(UserName.of("CORP_anna"));
        assertThat(end.project()).isEqualTo(ProjectName.of("phys_theory"));
    }

    @Test
    void lsf_records_count_the_slots_in_use_and_what_is_reserved_per_host_or_task() {
        final List<RunEnded> ends = read(
                AccountingFormat.LSF,
                lsf("2", "", "6 \"a\" \"a\" \"a\" \"b\" \"b\" \"c\"", later("0", "0", -1, "rusage[mem=1000.00]"))
                        + lsf("2", "", "2 \"4*a\" \"4*b\"", later("0", "0", 0, "rusage[mem=1000.00/task]"))
                        + lsf("4", "rusage[mem=2G]", "1 \"4*a\"", "")
                        + lsf("4", "", "2 \"2*a\" \"2*b\"", later("1 1042 \"num=1/task\"", "0", 60, "span[ptile=2]")));
        assertThat(ends.stream().map(RunEnded::resources))
                .containsExactly(
                        new Resources(6, 0, 3000, 0),
                        new Resources(8, 0, 8000, 0),
                        new Resources(4, 0, 2048, 0),
                        new Resources(4, 2, 0, 4));
        assertThat(ends.stream().map(RunEnded::walltime)).containsExactly(null, null, null, Duration.ofMinutes(1));
    }

    /** The file does not say whether a reservation is for each host or for each slot. */
    @Test
    void lsf_records_of_a_cluster_that_reserves_memory_per_slot_are_read_so() {
        final List<RunEnded> ends = read(
                AccountingFormat.LSF.reader(new AccountingFormat.Source(ALPHA, ZoneOffset.UTC, true)),
                lsf("2", "", "6 \"a\" \"a\" \"a\" \"b\" \"b\" \"c\"", later("0", "0", -1, "rusage[mem=1000.00]"))
                        + lsf("2", "", "2 \"4*a\" \"4*b\"", later("0", "0", 0, "rusage[mem=1000.00/host]"))
                        + lsf("2", "", "2 \"4*a\" \"4*b\"", later("0", "0", 0, "rusage[mem=1000.00/job]")));
        assertThat(ends.stream().map(RunEnded::resources))
                .containsExactly(
                        new Resources(6, 0, 6000, 0), new Resources(8, 0, 2000, 0), new Resources(8, 0, 1000, 0));
    }

    private static String condor(final String... attributes) {
        return "ClusterId = 5001\nProcId = 0\nOwner = \"anna\"\nQDate = 1772300000\nJobCurrentStartDate = 1772301000\n"
                + "RequestCpus = 8\n" + String.join("\n", attributes) + "\n***\n";
    }

    @Test
    void a_removed_htcondor_job_ran_as_long_as_its_last_run() {
        final List<RunEnded> ends = read(
                AccountingFormat.HTCONDOR,
                condor(
                                "JobStatus = 3",
                                "LastJobStatus = 5",
                                "LastRemoteWallClockTime = 3600.0",
                                "EnteredCurrentStatus = 1772905800",
                                "CompletionDate = 0")
                        + condor(
                                "JobStatus = 3",
                                "LastJobStatus = 1",
                                "RemoteWallClockTime = 3.6000000E+03",
                                "NumJobStarts = 1",
                                "EnteredCurrentStatus = 1772905800")
                        + condor(
                                "JobStatus = 3",
                                "LastJobStatus = 2",
                                "LastRemoteWallClockTime = 20.0",
                                "EnteredCurrentStatus = 1772301500")
                        + condor(
                                "JobStatus = 4",
                                "LastRemoteWallClockTime = 1800.0",
                                "RemoteWallClockTime = 9000.0",
                                "NumJobStarts = 2",
                                "CompletionDate = 1772302800",
                                "ExitCode = 0")
                        + condor(
                                "JobStatus = 3",
                                "LastJobStatus = 5",
                                "LastVacateTime = 1772301700",
                                "EnteredCurrentStatus = 1772905800")
                        + condor(
                                "JobStatus = 5",
                                "LastRemoteWallClockTime = 60.0",
                                "EnteredCurrentStatus = 1772905800"));
        assertThat(ends.stream().map(AccountingFormatTest::seconds)).containsExactly(3600L, 3600L, 500L, 1800L, 700L);
    }

    @Test
    void the_end_of_an_htcondor_run_is_never_guessed() {
        final String ad = condor(
                "JobStatus = 3",
                "LastJobStatus = 5",
                "NumJobStarts = 2",
                "RemoteWallClockTime = 9000.0",
                "EnteredCurrentStatus = 1772905800");
        assertThatThrownBy(() -> read(AccountingFormat.HTCONDOR, ad))
                .hasMessageContaining("does not show when its last run ended");
    }

    @Test
    void swf_jobs_without_run_time_and_processors_never_started() {
        final List<RunEnded> ends = read(AccountingFormat.SWF, """
            ; MaxProcs: 128
            1 10 500 -1 -1 -1 -1 8 600 -1 5 4 -1 -1 -1 -1 -1 -1
            2 20 -1 -1 -1 -1 -1 -1 600 -1 0 4 -1 -1 -1 -1 -1 -1
            3 20 10 100 4.5 -1 12.5 8 600.5 -1 5 -1 -1 -1 -1 -1 -1 -1
            """);
        assertThat(ends.stream().map(end -> end.startedAt() != null)).containsExactly(false, false, true);
        assertThat(ends.get(2).owner()).isEqualTo(NameMapping.NO_USER);
        assertThatThrownBy(() -> read(AccountingFormat.SWF, "4 20 5 -1 -1 -1 -1 8 600 -1 1 4 -1 -1 -1 -1 -1 -1"))
                .hasMessageContaining("job 4 has no valid");
    }
}
