package io.millrace.agent.lsf;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.LsfCommand;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.command.LsfVersion;
import io.millrace.agent.lsf.command.VersionQuery;
import io.millrace.agent.lsf.history.AccountingQuery;
import io.millrace.agent.lsf.history.AccountingRecord;
import io.millrace.agent.lsf.history.RunEnd;
import io.millrace.agent.lsf.history.RunHistory;
import io.millrace.agent.lsf.observe.HostSnapshot;
import io.millrace.agent.lsf.observe.JobListing;
import io.millrace.agent.lsf.observe.JobNotes;
import io.millrace.agent.lsf.observe.JobObservation;
import io.millrace.agent.lsf.observe.JobStates;
import io.millrace.agent.lsf.observe.PendingArrayTasks;
import io.millrace.agent.lsf.query.ArrayLimitQuery;
import io.millrace.agent.lsf.query.GpuQuery;
import io.millrace.agent.lsf.query.HostHardware;
import io.millrace.agent.lsf.query.HostHardwareQuery;
import io.millrace.agent.lsf.query.HostQuery;
import io.millrace.agent.lsf.query.JobHeading;
import io.millrace.agent.lsf.query.JobQuery;
import io.millrace.agent.lsf.query.ListedJob;
import io.millrace.agent.lsf.query.LongFormat;
import io.millrace.agent.lsf.query.LsfHost;
import io.millrace.agent.lsf.query.LsfQueue;
import io.millrace.agent.lsf.query.LsfTime;
import io.millrace.agent.lsf.query.ParamsQuery;
import io.millrace.agent.lsf.query.QueueQuery;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Transcript;
import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parses the recorded output of OpenLava 4.0.0 and samples from the documentation of LSF. */
class CommandOutputTest {

    private static final LsfSite SITE = LsfSite.of(ClusterId.of("lava"), Path.of("/nowhere"));
    private static final Instant NOW = Instant.parse("2026-11-20T14:00:00Z");

    // ---- jobs

    @Test
    void wrapped_and_unwrapped_long_formats_give_the_same_jobs() {
        final Map<String, ListedJob> unwrapped = jobs(Recording.of("040-bjobs-UF"));
        final Map<String, ListedJob> wrapped = jobs(Recording.of("039-bjobs-all-a-l"));

        assertThat(unwrapped).hasSize(23).containsKeys("101", "105[5]", "106[4]", "120");
        assertThat(wrapped).hasSize(26).containsKeys(unwrapped.keySet().toArray(String[]::new));
        unwrapped.forEach((id, job) -> {
            final ListedJob same = wrapped.get(id);
            assertThat(same.name()).isEqualTo(job.name());
            assertThat(same.status()).isEqualTo(job.status());
            assertThat(same.submitted()).isEqualTo(job.submitted());
            assertThat(same.started()).isEqualTo(job.started());
            assertThat(same.request().resources()).isEqualTo(job.request().resources());
            assertThat(same.request().dependency().replace(" ", ""))
                    .isEqualTo(job.request().dependency().replace(" ", ""));
            assertThat(same.reasons()).isEqualTo(job.reasons());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Welcome to lava, a banner with 9 words of text\n", "\n\n"})
    void a_host_table_is_read_after_a_banner_and_with_other_line_ends(final String banner) {
        final String table = banner
                + "HOST_NAME          STATUS          JL/U    MAX  NJOBS    RUN  SSUSP  USUSP    RSV \n"
                + "a.hpc.example      ok              -     128     12     12      0      0      0\n"
                + "b                  closed_Adm      4       -      -      0      0      0      0\n";
        for (final String text : List.of(table, table.replace("\n", "\r\n"))) {
            assertThat(new HostQuery(SITE).read(CommandResult.of(0, text, "")).get())
                    .containsExactly(
                            new LsfHost("a.hpc.example", "ok", 128, 12), new LsfHost("b", "closed_Adm", null, 0));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "LSF daemon is busy, please try again later on this or another day ok\n",
                "HOST_NAME STATUS\n",
                "HOST_NAME STATUS\nc unavail - 2K odd 0 0 0 0\n"
            })
    void a_host_table_without_hosts_is_unreadable(final String output) {
        assertThat(new HostQuery(SITE).read(CommandResult.of(0, output, "")))
                .isInstanceOfSatisfying(
                        Answer.Trouble.class,
                        trouble -> assertThat(trouble.kind()).isEqualTo(Answer.Kind.UNREADABLE));
    }

    @Test
    void slot_limits_of_arrays_are_read_for_any_array_name() {
        final String table = """
            JOBID    ARRAY_SPEC  OWNER   NJOBS PEND DONE  RUN EXIT SSUSP USUSP PSUSP
            106      arrt[1-4]%1 alice       4    3    0    1    0     0     0     0
            105      arr[1-5:2]  alice       3    0    0    3    0     0     0     0
            123      sweep %7 [2]%9 x[1-100:2]%25 CORP\\anna 50 50 0 0 0 0 0 0
            124      x[1-3]%0    bob         3    3    0    0    0     0     0     0
            """;
        assertThat(new ArrayLimitQuery(SITE)
                        .read(CommandResult.of(0, table, ""))
                        .get())
                .isEqualTo(Map.of("106", 1, "123", 25));
        assertThat(new ArrayLimitQuery(SITE)
                        .read(CommandResult.of(255, "", "No job found\n"))
                        .get())
                .isEmpty();
    }

    @Test
    void a_job_is_read_with_its_requests() {
        final Map<String, ListedJob> jobs = jobs(Recording.of("040-bjobs-UF"));

        final ListedJob solver = jobs.get("101");
        assertThat(solver.name()).isEqualTo("solver_run");
        assertThat(solver.heading().user()).isEqualTo("alice");
        assertThat(solver.heading().project()).isEqualTo("projA");
        assertThat(solver.submitted()).isEqualTo(Instant.ofEpochSecond(1795179876));
        assertThat(solver.started()).isEqualTo(Instant.ofEpochSecond(1795179878));
        assertThat(solver.hosts()).containsExactly("vm");
        assertThat(solver.runLimit()).isEqualTo(Duration.ofMinutes(60));
        assertThat(solver.request().resources().cores()).isEqualTo(2);
        assertThat(solver.request().resources().memoryMib()).isEqualTo(100);
        assertThat(jobs.get("114").request().resources().memoryMib()).isEqualTo(489);
        assertThat(jobs.get("114").heading().project()).isEqualTo("gromacs");
        assertThat(jobs.get("105[3]").name()).isEqualTo("arr");
        assertThat(jobs.get("120").name()).isEqualTo("we ird_näme");
        assertThat(jobs.get("104").onHold()).isTrue();
        assertThat(jobs.get("107").hasUnmetDependency()).isTrue();
        assertThat(jobs.get("108").request().dependency()).isEqualTo("ended(\"cmdjob\") && exit(101)");
        assertThat(jobs.get("112").notBefore()).isEqualTo(Instant.parse("2026-12-31T23:59:00Z"));
        assertThat(jobs.get("116").request().checkpointDirectory()).isEqualTo("/home/alice/ck/116");
        assertThat(jobs.get("118").request().placement().nodes()).containsExactly(NodeName.of("vm"));
        assertThat(jobs.get("109").reasons()).containsExactly("Job slot limit reached");
    }

    @Test
    void a_job_of_lsf_is_read_with_the_fields_that_openlava_lacks() {
        final Map<String, ListedJob> jobs = listed(
                replay(Map.of("-UF", Recording.documented("bjobs-UF"), "-json", Recording.documented("bjobs-json"))));

        final ListedJob solver = jobs.get("1477");
        assertThat(solver.name()).isEqualTo("solver, User <bob>");
        final JobObserved seen = JobObservation.of(SITE.cluster(), solver, new JobState.Queued(), 0, null, NOW);
        assertThat(seen.owner()).isEqualTo(UserName.of("anna"));
        assertThat(seen.attempt()).hasToString("01HZZZZZZZ0000000000000001.2");
        assertThat(seen.priority()).isEqualTo(500);
        assertThat(seen.resources().nodes()).isEqualTo(2);
        assertThat(seen.resources().memoryMib()).isEqualTo(4096);
        assertThat(seen.resources().gpus()).isEqualTo(4);
        assertThat(seen.detail().placement().coresPerNode()).isEqualTo(2);
        assertThat(solver.hosts()).containsExactly("hosta", "hostb");
        assertThat(solver.request().directory()).isEqualTo("/data/a b");
        assertThat(state(jobs.get("1480"))).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
        assertThat(jobs.get("1481[7]").hasEnded()).isTrue();
        assertThat(jobs.get("1481[7]").finished()).isEqualTo(Instant.parse("2026-11-20T10:32:06Z"));
        assertThat(jobs.get("1482").heading().interactive()).isTrue();
    }

    @Test
    void a_name_that_looks_like_other_fields_does_not_change_the_owner() {
        final String forged = "x>, User <bob>, Project <p>, Status <RUN>, Queue <q>, Command <y";
        final Transcript paragraph = Transcript.read(
                "forged",
                "$ bjobs\n\nJob <7>, Job Name <" + forged + ">, User <alice>, Project <default>, Status <PEND>, Queue"
                        + " <normal>, Command <sleep 1>\n"
                        + "Fri Nov 20 13:04:36: Submitted from host <vm>, CWD"
                        + " <$HOME>;\n"
                        + "exit=0");
        final Transcript columns = Transcript.read(
                "columns", "$ bjobs\nJOBID|STAT|USER|QUEUE|JOB_NAME\n7|PEND|alice|normal|" + forged + "\nexit=0");

        final ListedJob job =
                listed(replay(Map.of("-UF", paragraph, "delimiter", columns))).get("7");
        assertThat(job.heading().user()).isEqualTo("alice");
        assertThat(job.status()).isEqualTo("PEND");
        assertThat(job.name()).isEqualTo(forged);
    }

    @Test
    void a_line_break_in_a_directory_name_does_not_create_another_job() {
        final Transcript paragraph = Transcript.read(
                "forged",
                "$ bjobs\n\n"
                        + "Job <7>, Job Name <a>, User <alice>, Project <default>, Status <PEND>, Queue <normal>, Command"
                        + " <sleep 1>\n"
                        + "Fri Nov 20 13:04:36: Submitted from host <vm>, CWD </tmp/x\n\n"
                        + "Job <8>, Job Name <b>, User <bob>, Project <default>, Status <RUN>, Queue <normal>, Command"
                        + " <z>\n"
                        + "Fri Nov 20 13:04:36: Submitted from host <vm>, CWD </x>;\n"
                        + "exit=0");
        final Transcript columns =
                Transcript.read("columns", "$ bjobs\nJOBID|STAT|USER|QUEUE|JOB_NAME\n7|PEND|alice|normal|a\nexit=0");

        assertThat(listed(replay(Map.of("-UF", paragraph, "delimiter", columns))))
                .containsOnlyKeys("7");
    }

    @Test
    void job_states_are_mapped_and_an_unknown_state_is_not_an_end() {
        assertThat(state(withStatus("PEND"))).isEqualTo(new JobState.Queued());
        assertThat(state(withStatus("WAIT"))).isEqualTo(new JobState.Queued());
        assertThat(state(withStatus("PSUSP"))).isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(state(withStatus("RUN"))).isInstanceOf(JobState.Running.class);
        assertThat(state(withStatus("USUSP"))).isInstanceOf(JobState.Suspended.class);
        assertThat(state(withStatus("SSUSP"))).isInstanceOf(JobState.Suspended.class);
        for (final String word : List.of("UNKWN", "ZOMBI", "PROV", "NEW")) {
            assertThat(state(withStatus(word))).isEqualTo(new JobState.Unknown(word));
        }
    }

    @Test
    void an_empty_queue_is_not_an_error_but_an_unresponsive_cluster_is() {
        final JobQuery query = new JobQuery(SITE, true, List.of());
        for (final String name :
                List.of("192-empty-bjobs", "060-bjobs-none", "047-bjobs-s", "238-down-just-restarted-bjobs")) {
            assertThat(query.read(Recording.of(name).result())).as(name).isEqualTo(Answer.ok(List.of()));
        }
        assertThat(trouble(new VersionQuery(SITE)
                                .read(Recording.of("243-down-lsid").result()))
                        .kind())
                .isEqualTo(Answer.Kind.DOWN);
        for (final String name : List.of("239-down-bjobs", "242-down-bhosts")) {
            assertThat(trouble(query.read(Recording.of(name).result())).kind())
                    .as(name)
                    .isEqualTo(Answer.Kind.DOWN);
        }
    }

    @Test
    void cut_off_output_and_errors_on_standard_output_are_not_read_as_an_empty_queue() {
        final String whole = Recording.of("040-bjobs-UF").result().outputText();
        final JobQuery query = new JobQuery(SITE, true, List.of());
        final int cut = whole.indexOf("Job <105[1]>") + 200;

        assertThat(trouble(query.read(CommandResult.of(0, whole.substring(0, cut), "")))
                        .reason())
                .contains("cut off in job 105[1]");
        for (final Answer<?> answer : List.of(
                query.read(CommandResult.of(0, "batch system is being reconfigured\n", "")),
                new QueueQuery(SITE).read(CommandResult.of(0, "please try later\n", "")),
                new HostQuery(SITE).read(CommandResult.of(0, "", "")))) {
            assertThat(trouble(answer).kind()).isEqualTo(Answer.Kind.UNREADABLE);
        }
    }

    @Test
    void known_jobs_are_read_if_other_ids_are_unknown() {
        final Answer<List<LongFormat.Job>> answer = new JobQuery(SITE, true, List.of("1", "2"))
                .read(Recording.of("057-bjobs-unknown").result());
        assertThat(answer).isEqualTo(Answer.ok(List.of()));
    }

    @Test
    void every_recorded_list_of_jobs_is_read_completely() {
        for (final Transcript recording : Recording.all()) {
            final String text = recording.result().outputText();
            final long headings = text.lines()
                    .filter(line -> line.matches("Job (Id )?<\\d+(\\[\\d+])?>, Job Name <.*"))
                    .count();
            assertThat(LongFormat.read(recording.result().output()))
                    .as(recording.file())
                    .hasSize((int) headings)
                    .allSatisfy(job -> assertThat(job.events()).isNotEmpty());
        }
    }

    // ---- times

    @Test
    void the_missing_year_is_derived_across_new_year_and_leap_years() {
        final Instant newYear = Instant.parse("2027-01-01T00:00:05Z");
        assertThat(LsfTime.past("Thu Dec 31 23:59:58", newYear)).contains(Instant.parse("2026-12-31T23:59:58Z"));
        assertThat(LsfTime.past("Fri Jan  1 00:00:06", newYear)).contains(Instant.parse("2027-01-01T00:00:06Z"));
        assertThat(LsfTime.past("Dec 31 23:59", newYear)).contains(Instant.parse("2026-12-31T23:59:00Z"));
        assertThat(LsfTime.past("Sat Nov 20 10:00:00", newYear)).contains(Instant.parse("2021-11-20T10:00:00Z"));
        assertThat(LsfTime.past("Thu Feb 29 12:00:00", newYear)).contains(Instant.parse("2024-02-29T12:00:00Z"));
        assertThat(LsfTime.past("Fri Nov 20 13:04:36 2020", newYear)).contains(Instant.parse("2020-11-20T13:04:36Z"));
        assertThat(LsfTime.future("Fri Jan  1 00:00:06", Instant.parse("2026-12-30T00:00:00Z")))
                .contains(Instant.parse("2027-01-01T00:00:06Z"));
        assertThat(LsfTime.past("yesterday", newYear)).isEmpty();
    }

    // ---- ended runs

    @Test
    void ended_runs_have_the_outcome_of_the_recorded_events() {
        final Map<String, RunHistory> histories = histories(Recording.of("189-bhist-final"));

        assertThat(outcomes(histories.get("101"))).containsExactly(new RunOutcome.Cancelled());
        assertThat(outcomes(histories.get("102")))
                .containsExactly(new RunOutcome.Requeued(), new RunOutcome.Requeued());
        assertThat(histories.get("102").restarts()).isEqualTo(2);
        assertThat(histories.get("102").currentStart()).isEqualTo(Instant.parse("2026-11-20T13:08:48Z"));
        assertThat(outcomes(histories.get("105[3]"))).containsExactly(new RunOutcome.Exited(0));
        assertThat(outcomes(histories.get("107"))).containsExactly(new RunOutcome.Cancelled());
        assertThat(histories.get("107").ended().get(0).started()).isNull();
        assertThat(outcomes(histories.get("110"))).containsExactly(new RunOutcome.Requeued(), new RunOutcome.Exited(3));
        assertThat(outcomes(histories.get("115"))).containsExactly(new RunOutcome.Requeued());
        assertThat(histories.get("120").ended().get(0).started()).isEqualTo(Instant.parse("2026-11-20T13:08:12Z"));
        assertThat(outcomes(histories(Recording.of("235-pre2-bhist")).get("241")))
                .containsExactly(new RunOutcome.Requeued(), new RunOutcome.Cancelled());
    }

    @Test
    void termination_reasons_of_lsf_are_mapped_to_outcomes() {
        final Map<String, RunHistory> histories = histories(Recording.documented("bhist-l"));

        assertThat(outcomes(histories.get("1481[7]"))).containsExactly(new RunOutcome.TimedOut());
        assertThat(outcomes(histories.get("1490")))
                .containsExactly(new RunOutcome.Requeued(), new RunOutcome.Signalled(11));
        assertThat(outcomes(histories.get("1491"))).containsExactly(new RunOutcome.Cancelled());
        assertThat(outcomes(histories.get("1492"))).containsExactly(new RunOutcome.OutOfMemory());
        assertThat(outcomes(histories.get("1493"))).containsExactly(new RunOutcome.NodeFailed());
    }

    @Test
    void each_ended_run_has_its_cpu_time_and_the_last_one_its_peak_memory() {
        final Map<String, RunHistory> histories = histories(Recording.documented("bhist-l"));

        assertThat(histories.get("1490").ended().get(0).used().cpuTime()).isEqualTo(Duration.ofSeconds(1));
        assertThat(histories.get("1490").ended())
                .extracting(run -> run.used().peakMemoryBytes())
                .containsExactly(null, 1536L << 20);
        assertThat(histories.get("1481[7]").ended())
                .extracting(RunHistory.EndedRun::used)
                .containsExactly(new ResourceUsage(Duration.ofMillis(100), null, null));
        assertThat(histories(Recording.of("189-bhist-final")).get("107").ended())
                .as("never ran")
                .extracting(RunHistory.EndedRun::used)
                .containsExactly(ResourceUsage.NONE);
    }

    @Test
    void a_requeue_exit_value_of_the_queue_is_not_an_end() {
        final LsfQueue queue = queues(Recording.documented("bqueues-l")).get("low");
        final Instant started = NOW.minusSeconds(60);
        assertThat(new RunEnd(started, NOW, "Exitedwithexitcode99.", "", false).outcome(null, queue))
                .isEqualTo(new RunOutcome.Requeued());
        assertThat(new RunEnd(started, NOW, "Exitedwithexitcode98.", "", false).outcome(null, queue))
                .isEqualTo(new RunOutcome.Exited(98));
        assertThat(new RunEnd(started, NOW, "Exitedwithexitcode130.", "", false).outcome(Duration.ofSeconds(60), queue))
                .isEqualTo(new RunOutcome.TimedOut());
        assertThat(new RunEnd(started, NOW, "Exitedwithexitcode130.", "", false).outcome(Duration.ofSeconds(90), queue))
                .isEqualTo(new RunOutcome.Signalled(2));
    }

    @Test
    void the_accounting_file_is_read_record_by_record() {
        final List<AccountingRecord> lines = account(Recording.of("190-lsb-acct"));

        assertThat(lines).hasSize(19);
        assertThat(lines).extracting(AccountingRecord::id).contains("106[1]", "105[3]", "105[5]", "105[1]");
        final AccountingRecord solver = lines.stream()
                .filter(line -> line.id().equals("101"))
                .findFirst()
                .orElseThrow();
        assertThat(solver.user()).isEqualTo("alice");
        assertThat(solver.project()).isEqualTo("projA");
        assertThat(solver.request().resources(false).cores()).isEqualTo(2);
        assertThat(solver.command()).contains("rusage[mem=100]\";echo start $LSB_JOBID");
        assertThat(solver.outcome()).isEqualTo(new RunOutcome.Signalled(2));
        assertThat(solver.used()).isEqualTo(new ResourceUsage(Duration.ofMillis(25), 8176L << 10, null));
        assertThat(lines.stream().filter(line -> line.id().equals("110")).map(AccountingRecord::outcome))
                .containsOnly(new RunOutcome.Exited(3));
        assertThat(lines.get(0).outcome()).isEqualTo(new RunOutcome.Cancelled());
        assertThat(lines.get(0).used()).isEqualTo(ResourceUsage.NONE);

        final List<AccountingRecord> documented = account(Recording.documented("lsb.acct"));
        assertThat(documented).hasSize(2);
        assertThat(documented.get(0).id()).isEqualTo("1481[7]");
        assertThat(documented.get(0).name()).isEqualTo("many");
        assertThat(documented.get(0).outcome()).isEqualTo(new RunOutcome.TimedOut());
        assertThat(documented.get(0).used()).isEqualTo(new ResourceUsage(Duration.ofMillis(100), 2L << 20, null));
        assertThat(documented.get(1).name()).isEqualTo("it's \"quoted\"");
        assertThat(documented.get(1).attempt()).hasToString("01HZZZZZZZ0000000000000001.2");
        assertThat(documented.get(1).outcome()).isEqualTo(new RunOutcome.Cancelled());
    }

    @Test
    void an_accounting_record_with_a_command_of_one_megabyte_is_read() {
        final String recorded = Recording.of("190-lsb-acct")
                .result()
                .outputText()
                .lines()
                .filter(line -> line.contains("sleep"))
                .findFirst()
                .orElseThrow();
        final AccountingRecord expected = AccountingRecord.read(recorded).orElseThrow();
        final String longCommand = "sleep \"\"1\"\" ".repeat(100_000);
        final String quotedCommand = "\"" + expected.command().replace("\"", "\"\"") + "\"";

        assertThat(recorded).contains(quotedCommand);
        assertThat(AccountingRecord.read(recorded.replace(quotedCommand, "\"" + longCommand + "\"")))
                .hasValueSatisfying(read -> {
                    assertThat(read.command()).hasSize(1_000_000);
                    assertThat(read.outcome()).isEqualTo(expected.outcome());
                    assertThat(read.request()).isEqualTo(expected.request());
                });
    }

    // ---- hosts and queues

    @Test
    void hosts_are_read_with_their_state_and_reason() {
        final List<LsfHost> hosts = hosts(Recording.documented("bhosts-w"));
        final HostSnapshot nodes = new HostSnapshot(
                SITE.cluster(),
                hosts,
                new HostHardwareQuery(SITE)
                        .read(Recording.documented("lshosts-w").result())
                        .get(),
                new GpuQuery(SITE)
                        .read(Recording.documented("bhosts-gpu").result())
                        .get(),
                Map.of("fast", Set.of("hostb")));
        final Map<String, LsfQueue> queues = queues(Recording.documented("bqueues-l"));
        final Map<String, NodeObserved> seen = nodes.nodes(queues.values(), List.of()).stream()
                .collect(Collectors.toMap(node -> node.node().value(), Function.identity()));

        assertThat(seen.get("hosta").total().cores()).isEqualTo(8);
        assertThat(seen.get("hosta").free().cores()).isEqualTo(4);
        assertThat(seen.get("hosta").total().memoryMib()).isEqualTo(64000);
        assertThat(seen.get("hosta").total().gpus()).isEqualTo(2);
        assertThat(seen.get("hosta").free().gpus()).isEqualTo(1);
        assertThat(seen.get("hosta").features()).containsExactly("Intel_E5", "X86_64", "bigmem", "mg");
        assertThat(seen.get("hosta").partitions()).hasToString("[high, low]");
        assertThat(seen.get("hostb").availability()).isEqualTo(Availability.UP);
        assertThat(seen.get("hostb").free().cores()).isZero();
        assertThat(seen.get("hostc").availability()).isEqualTo(Availability.DRAINED);
        assertThat(seen.get("hostc").total().cores()).isEqualTo(16);
        assertThat(seen.get("hostc").reason()).contains("closed_Adm", "badmin hopen hostc");
        assertThat(seen.get("hostc").partitions()).hasToString("[low]");
        assertThat(seen.get("hostd").availability()).isEqualTo(Availability.DOWN);
        assertThat(seen.get("hoste").availability()).isEqualTo(Availability.UNKNOWN);
        assertThat(hosts(Recording.of("068-bhosts-w")).get(0)).isEqualTo(new LsfHost("vm", "closed_Full", 8, 8));
        assertThat(hosts(Recording.of("186-host-closed-list")).get(0).availability())
                .isEqualTo(Availability.DRAINED);
        assertThat(new HostHardwareQuery(SITE)
                        .read(Recording.of("071-lshosts").result())
                        .get())
                .containsEntry("vm", new HostHardware("vm", 2, 24105, List.of("IntelI5", "cs", "fs", "linux")));
    }

    @Test
    void queues_are_read_with_limits_preemption_and_access() {
        final Map<String, LsfQueue> queues = queues(Recording.of("064-bqueues-l"));

        assertThat(queues).containsOnlyKeys("urgent", "admin", "short", "normal");
        assertThat(queues.get("normal").isDefault()).isTrue();
        assertThat(queues.get("urgent").isDefault()).isFalse();
        assertThat(queues.get("urgent").preempts("normal")).isTrue();
        assertThat(queues.get("urgent").preempts("short")).isFalse();
        assertThat(queues.get("short").runLimit()).isEqualTo(Duration.ofMinutes(5));
        assertThat(queues.get("short").users()).containsExactly("alice", "root", "bob");
        assertThat(queues.get("normal").users()).isEmpty();
        assertThat(queues.values()).allMatch(queue -> queue.acceptsJobs() && !queue.inactive());

        final Map<String, LsfQueue> lsf = queues(Recording.documented("bqueues-l"));
        assertThat(lsf.get("high").defaultRunLimit()).isEqualTo(Duration.ofHours(1));
        assertThat(lsf.get("high").runLimit()).isEqualTo(Duration.ofDays(1));
        assertThat(lsf.get("high").maxSlots()).isEqualTo(64);
        assertThat(lsf.get("high").preempts("low")).isTrue();
        assertThat(lsf.get("low").isDefault()).isTrue();
        assertThat(lsf.get("low").inactive()).isTrue();
        assertThat(lsf.get("low").preemptable()).isTrue();
        assertThat(lsf.get("low").suspendAction()).isEqualTo("brequeue $LSB_JOBID");
        assertThat(lsf.get("low").requeueCodes()).containsExactly("99", "100");
    }

    @Test
    void settings_and_versions_are_read() {
        final ParamsQuery.Params params = new ParamsQuery(SITE, false)
                .read(Recording.of("075-bparams-l").result())
                .get();
        assertThat(params.defaultQueues()).containsExactly("normal");
        assertThat(params.requeuesVictims()).isTrue();
        assertThat(new VersionQuery(SITE).read(Recording.of("001-version").result()))
                .isEqualTo(Answer.ok(new LsfVersion("openlava", "4.0.0")));
        final LsfVersion lsf = new VersionQuery(SITE)
                .read(Recording.documented("lsid").result())
                .get();
        assertThat(lsf).hasToString("lsf 10.1.0.12");
        assertThat(lsf.major()).isEqualTo(10);
    }

    // ---- errors

    @Test
    void every_recorded_error_has_its_kind_and_a_remedy() {
        final Map<String, Answer.Kind> kinds = Map.ofEntries(
                Map.entry("012-submit-big", Answer.Kind.REJECTED),
                Map.entry("022-submit-bad-queue", Answer.Kind.REJECTED),
                Map.entry("023-submit-admin-queue", Answer.Kind.DENIED),
                Map.entry("024-submit-over-runlimit", Answer.Kind.REJECTED),
                Map.entry("031-submit-root", Answer.Kind.DENIED),
                Map.entry("104-resume-array", Answer.Kind.TIMEOUT),
                Map.entry("105-suspend-other", Answer.Kind.DENIED),
                Map.entry("106-bstop-unknown", Answer.Kind.NO_SUCH_JOB),
                Map.entry("107-bstop-finished", Answer.Kind.WRONG_STATE),
                Map.entry("111-signal-bad", Answer.Kind.REJECTED),
                Map.entry("124-requeue-pending", Answer.Kind.WRONG_STATE),
                Map.entry("125-requeue-unknown", Answer.Kind.NO_SUCH_JOB),
                Map.entry("126-requeue-other", Answer.Kind.DENIED),
                Map.entry("131-switch-bad-queue", Answer.Kind.REJECTED),
                Map.entry("141-mod-running", Answer.Kind.WRONG_STATE),
                Map.entry("145-mod-unknown", Answer.Kind.NO_SUCH_JOB),
                Map.entry("147-run-as-user", Answer.Kind.DENIED),
                Map.entry("150-run-running", Answer.Kind.WRONG_STATE),
                Map.entry("151-run-bad-host", Answer.Kind.REJECTED),
                Map.entry("156-chkpnt-not", Answer.Kind.WRONG_STATE),
                Map.entry("161-restart", Answer.Kind.REJECTED),
                Map.entry("174-kill-finished", Answer.Kind.WRONG_STATE),
                Map.entry("188-host-close-as-user", Answer.Kind.DENIED),
                Map.entry("241-down-bkill", Answer.Kind.DOWN));
        kinds.forEach((name, kind) -> assertThat(trouble(LsfCommand.of(SITE, "bstop", "12")
                                .read(Recording.of(name).result()))
                        .kind())
                .as(name)
                .isEqualTo(kind));
        assertThat(trouble(LsfCommand.of(SITE, "brun", "12")
                                .read(Recording.of("147-run-as-user").result()))
                        .reason())
                .contains("User permission denied", "ADMINISTRATORS in lsf.cluster");
    }

    // ---- builders

    private static Map<String, ListedJob> jobs(final Transcript recording) {
        return listed(replay(Map.of("-UF", recording)));
    }

    private static Map<String, ListedJob> listed(final Runner runner) {
        final LsfFeatures.ColumnFormat columns =
                runner instanceof Replay replay && replay.byWord().containsKey("-json")
                        ? LsfFeatures.ColumnFormat.JSON
                        : LsfFeatures.ColumnFormat.FIELDS;
        final LsfFeatures features = new LsfFeatures(new LsfVersion("lsf", "10.1"), true, columns, false);
        final PendingArrayTasks tasks =
                new PendingArrayTasks(SITE.cluster(), new JobNotes(Path.of("target", "notes-of-recordings")));
        return new JobListing(SITE, runner, Clock.fixed(NOW, ZoneOffset.UTC), () -> Answer.ok(features), tasks)
                .all().get().stream().collect(Collectors.toMap(ListedJob::id, Function.identity()));
    }

    private static Runner replay(final Map<String, Transcript> byWord) {
        return new Replay(byWord);
    }

    /** Responds to a command with the recording of a word in its arguments. */
    private record Replay(Map<String, Transcript> byWord) implements Runner {
        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            final String words = String.join(" ", command.argv());
            return byWord.entrySet().stream()
                    .filter(entry -> words.contains(entry.getKey()))
                    .map(entry -> command.read(entry.getValue().result()))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no recording for: " + words));
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    @Test
    void a_directory_that_looks_like_a_number_of_slots_does_not_change_the_job() {
        final String heading =
                "Job <7>, Job Name <run>, User <anna>, Project <default>, Status <PEND>, Queue <normal>, Command"
                        + " <run>\n";
        final String submitted = "Fri Nov 20 13:00:00: Submitted from host <vm>, CWD <$HOME/64 Processors Requested>, "
                + "Output File <out, 32 Processors Requested, Exclusive Execution>, ";

        final ListedJob single = listedJob(heading + submitted + "Requested Resources <span[hosts=1]>;\n");
        final ListedJob parallel =
                listedJob(heading + submitted + "4 Processors Requested, Requested Resources <span[ptile=2]>;\n");

        assertThat(single.request().resources().cores()).isEqualTo(1);
        assertThat(single.request().placement().exclusive()).isFalse();
        assertThat(parallel.request().resources().cores()).isEqualTo(4);
        assertThat(parallel.request().placement().coresPerNode()).isEqualTo(2);
        assertThat(parallel.request().directory()).isEqualTo("$HOME/64 Processors Requested");
    }

    /** RESOURCE_RESERVE_PER_TASK = Y in lsb.params. */
    @Test
    void memory_counts_for_each_slot_where_the_cluster_reserves_it_so() {
        final ParamsQuery all = new ParamsQuery(SITE, true);
        assertThat(all.argv()).containsExactly("bparams", "-a");
        for (final String line : List.of(
                "RESOURCE_RESERVE_PER_TASK = Y", "RESOURCE_RESERVE_PER_TASK=y", "RESOURCE_RESERVE_PER_SLOT = Y")) {
            assertThat(all.read(CommandResult.of(0, "lsb.params configuration at now\n  " + line + "\n", ""))
                            .get()
                            .memoryPerSlot())
                    .as(line)
                    .isTrue();
        }
        assertThat(all.read(CommandResult.of(0, "    RESOURCE_RESERVE_PER_TASK = N\n", ""))
                        .get()
                        .memoryPerSlot())
                .isFalse();

        final String job = "Job <7>, User <u>, Project <p>, Status <PEND>, Queue <q>, Command <x>\n"
                + "Thu Nov 26 10:00:00: Submitted from host <h>, CWD </d>, 4 Processors Requested, Requested Resources "
                + "<rusage[mem=4096%s] span[hosts=1]>;\n";
        assertThat(memory(job.formatted(""), false)).isEqualTo(4096);
        assertThat(memory(job.formatted(""), true)).isEqualTo(4 * 4096);
        assertThat(memory(job.formatted("/host"), true)).isEqualTo(4096);
        assertThat(memory(job.formatted("/task"), false)).isEqualTo(4 * 4096);
    }

    private static long memory(final String text, final boolean perSlot) {
        final LongFormat.Job job =
                LongFormat.read(text.getBytes(StandardCharsets.UTF_8)).getFirst();
        return ListedJob.of(job, JobHeading.read(job.heading()).orElseThrow(), NOW, perSlot)
                .orElseThrow()
                .request()
                .resources()
                .memoryMib();
    }

    private static ListedJob listedJob(final String text) {
        final LongFormat.Job job =
                LongFormat.read(text.getBytes(StandardCharsets.UTF_8)).getFirst();
        return ListedJob.of(job, JobHeading.read(job.heading()).orElseThrow(), NOW, false)
                .orElseThrow();
    }

    private static ListedJob withStatus(final String status) {
        final LongFormat.Job job = LongFormat.read(
                        Recording.of("053-bjobs-one-l").result().output())
                .get(0);
        return ListedJob.of(
                        job,
                        JobHeading.read(job.heading().replaceFirst("Status ?<\\w+>", "Status <" + status + ">"))
                                .orElseThrow(),
                        NOW,
                        false)
                .orElseThrow();
    }

    private static JobState state(final ListedJob job) {
        return JobStates.of(job, null, JobStates.QueueState.ACTIVE, NOW).orElseThrow();
    }

    private static Map<String, RunHistory> histories(final Transcript recording) {
        return LongFormat.read(recording.result().output()).stream()
                .map(job -> RunHistory.read(job, null, NOW).orElseThrow())
                .collect(Collectors.toMap(RunHistory::id, Function.identity()));
    }

    private static List<RunOutcome> outcomes(final RunHistory history) {
        return history.ended().stream().map(RunHistory.EndedRun::outcome).toList();
    }

    private static List<AccountingRecord> account(final Transcript recording) {
        return new AccountingQuery(SITE, Path.of("/nowhere"), "")
                .read(recording.result())
                .get();
    }

    private static List<LsfHost> hosts(final Transcript recording) {
        return new HostQuery(SITE).read(recording.result()).get();
    }

    private static Map<String, LsfQueue> queues(final Transcript recording) {
        return new QueueQuery(SITE)
                .read(recording.result()).get().stream().collect(Collectors.toMap(LsfQueue::name, Function.identity()));
    }

    private static <T> Answer.Trouble<T> trouble(final Answer<T> answer) {
        assertThat(answer).isInstanceOf(Answer.Trouble.class);
        return (Answer.Trouble<T>) answer;
    }
}
