package io.millrace.agent.torque.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.torque.RecordedOutput;
import io.millrace.agent.wlm.Transcript;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class QueryOutputTest {

    private static final Instant NOW = Instant.parse("2026-11-20T13:32:50Z");

    private static List<TorqueJob> jobs(final String number) {
        return new JobQuery(RecordedOutput.SITE, List.of(), List.of())
                .parse(RecordedOutput.of(number).output());
    }

    private static JobObserved observed(final String number, final String id, final Control control) {
        return observed(jobs(number), id, control);
    }

    private static JobObserved observed(final List<TorqueJob> jobs, final String id, final Control control) {
        final TorqueJob job = jobs.stream()
                .filter(one -> one.localId().equals(id))
                .findFirst()
                .orElseThrow();
        return JobMapper.of(RecordedOutput.SITE.cluster(), ReportedJob.of(job), control, NOW, Set.of("vm"));
    }

    @Test
    void a_running_job_is_observed_with_all_its_attributes() {
        final JobObserved job = observed("029", "1.vm", Control.NATIVE);

        assertThat(job.job().submittedAt()).isEqualTo(Instant.parse("2026-11-20T13:32:37Z"));
        assertThat(job.name()).isEqualTo("solver_run");
        assertThat(job.owner()).isEqualTo(UserName.of("alice"));
        assertThat(job.project()).isEqualTo(ProjectName.of("projA"));
        assertThat(job.partition()).isEqualTo(PartitionName.of("batch"));
        assertThat(job.state())
                .isEqualTo(new JobState.Running(Instant.parse("2026-11-20T13:32:37Z"), List.of(NodeName.of("vm"))));
        assertThat(job.resources()).isEqualTo(new Resources(4, 0, 1024, 0));
        assertThat(job.walltime()).isEqualTo(Duration.ofHours(1));
        assertThat(job.restarts()).isZero();
        assertThat(job.detail().dependencies()).as("other jobs depend on it").isEmpty();
        assertThat(job.detail().placement().coresPerNode()).isEqualTo(4);
    }

    @Test
    void plain_text_and_xml_are_equivalent() {
        for (final TorqueJob cut : jobs("029")) {
            final JobObserved expected = observed("029", cut.localId(), Control.NATIVE);
            assertThat(observed("030", cut.localId(), Control.NATIVE)).isEqualTo(expected);
            assertThat(observed("031", cut.localId(), Control.NATIVE)).isEqualTo(expected);
            assertThat(cut.variables())
                    .isEqualTo(jobs("031").stream()
                            .filter(job -> job.localId().equals(cut.localId()))
                            .findFirst()
                            .orElseThrow()
                            .variables());
        }
        assertThat(jobs("029")).hasSize(16);
    }

    @Test
    void every_recorded_job_listing_is_read() {
        for (final Transcript one : RecordedOutput.all()) {
            if (one.output().startsWith("Job Id:") || one.output().startsWith("<?xml")) {
                final List<TorqueJob> jobs =
                        new JobQuery(RecordedOutput.SITE, List.of(), List.of()).parse(one.output());
                assertThat(jobs).as(one.file()).isNotEmpty().allSatisfy(job -> {
                    assertThat(job.submitted()).isAfter(Instant.parse("2026-11-20T13:00:00Z"));
                    assertThat(JobStates.of(job, Control.NATIVE)).isNotInstanceOf(JobState.Unknown.class);
                    assertThat(JobMapper.of(
                                            RecordedOutput.SITE.cluster(),
                                            ReportedJob.of(job),
                                            Control.NATIVE,
                                            NOW,
                                            Set.of())
                                    .walltime())
                            .satisfiesAnyOf(
                                    none -> assertThat(none).isNull(),
                                    some -> assertThat(some).isPositive());
                });
            }
        }
    }

    @Test
    void states_and_holds_are_distinguished() {
        assertThat(observed("126", "325.vm", Control.NATIVE).state()).isEqualTo(new JobState.Held(HoldKind.USER));
        assertThat(observed("128", "325.vm", Control.NATIVE).state()).isEqualTo(new JobState.Queued());
        assertThat(observed("128", "325.vm", Control.DIRECTED).state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(observed("131", "325.vm", Control.NATIVE).state()).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
        assertThat(observed("135", "327.vm", Control.NATIVE).state()).isInstanceOf(JobState.Running.class);
        assertThat(observed("143", "334.vm", Control.NATIVE).state()).isInstanceOf(JobState.Suspended.class);
        assertThat(observed("165", "326.vm", Control.NATIVE).state()).isInstanceOf(JobState.Unsettled.class);
        assertThat(observed("128", "325.vm", Control.NATIVE).reason())
                .isEqualTo("Not Running: Not enough of the right type of nodes are available");
    }

    @Test
    void a_job_with_a_dependency_is_held_by_the_server_only() {
        final JobObserved job = observed("029", "7.vm", Control.NATIVE);

        assertThat(job.state()).isEqualTo(new JobState.Queued());
        assertThat(job.eligibility()).isEqualTo(Eligibility.not(Obstacle.DEPENDENCY));
        assertThat(job.detail().dependencies()).containsExactly("afterok:1.vm");
        assertThat(job.reason()).isEqualTo("waits for afterok:1.vm");
    }

    @Test
    void a_job_with_a_later_start_time_is_not_eligible() {
        final JobObserved job = observed("029", "10.vm", Control.DIRECTED);

        assertThat(job.state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(job.eligibility()).isEqualTo(Eligibility.from(Instant.parse("2026-12-31T23:59:00Z")));
        assertThat(job.reason()).contains("2026-12-31T23:59:00Z");
    }

    @Test
    void a_requeued_job_counts_its_restarts_and_ignores_its_old_exit_status() {
        final JobObserved job = observed("149", "327.vm", Control.NATIVE);

        assertThat(job.restarts()).isEqualTo(1);
        assertThat(job.state()).isInstanceOf(JobState.Running.class);
        assertThat(observed("029", "15.vm", Control.NATIVE).detail().rerunnable())
                .isFalse();
    }

    @Test
    void array_tasks_are_separate_jobs_with_their_slot_limit() {
        assertThat(observed("033", "5[2].vm", Control.NATIVE).detail().array())
                .isEqualTo(new ArrayTasks("5[].vm", "2", 1, null));
        assertThat(observed("033", "5[2].vm", Control.NATIVE).name()).isEqualTo("arr");
        final JobObserved beyond = observed("033", "6[3].vm", Control.DIRECTED);
        assertThat(beyond.detail().array()).isEqualTo(new ArrayTasks("6[].vm", "3", 1, 1));
        assertThat(beyond.state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(beyond.eligibility()).isEqualTo(Eligibility.not(Obstacle.ARRAY_LIMIT));
        assertThat(jobs("033")).extracting(TorqueJob::localId).doesNotContain("5[].vm", "6[].vm");
        assertThat(observed("029", "6[].vm", Control.NATIVE).detail().array())
                .as("if tasks are not listed, the array represents them")
                .isEqualTo(new ArrayTasks("6[].vm", "1-4", 4, 1));
        assertThat(JobMapper.countTasks("1-3,7,10-12")).isEqualTo(7);
    }

    @Test
    void waiting_array_tasks_are_one_job_with_indices_and_slot_limit() {
        final WaitingArrayTasks tasks = new WaitingArrayTasks(RecordedOutput.SITE.cluster());
        final List<ReportedJob> shown = tasks.group(jobs("033"), Control.DIRECTED, NOW);
        final ReportedJob array =
                shown.stream().filter(ReportedJob::isArray).findFirst().orElseThrow();
        final JobObserved seen =
                JobMapper.of(RecordedOutput.SITE.cluster(), array, Control.DIRECTED, NOW, Set.of("vm"));

        assertThat(seen.job().id().local()).isEqualTo("6[].vm");
        assertThat(seen.detail().array()).isEqualTo(new ArrayTasks("6[].vm", "2-4", 3, 1));
        assertThat(seen.state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(shown)
                .as("running tasks are separate jobs")
                .extracting(one -> one.key(RecordedOutput.SITE.cluster()).id().local())
                .contains("5[1].vm", "5[2].vm", "6[1].vm")
                .doesNotContain("6[2].vm", "6[3].vm")
                .doesNotHaveDuplicates();
    }

    @Test
    void a_task_reported_separately_stays_separate() {
        final WaitingArrayTasks tasks = new WaitingArrayTasks(RecordedOutput.SITE.cluster());
        final TorqueJob third = jobs("033").stream()
                .filter(job -> job.localId().equals("6[3].vm"))
                .findFirst()
                .orElseThrow();
        tasks.recordReported(List.of(ReportedJob.of(third)));
        assertThat(tasks.group(jobs("033"), Control.DIRECTED, NOW))
                .filteredOn(ReportedJob::isArray)
                .extracting(one -> String.valueOf(one.array()))
                .singleElement(org.assertj.core.api.InstanceOfAssertFactories.STRING)
                .contains("indices=2,4");
    }

    @ParameterizedTest
    @CsvSource({
        "anna@vm, anna",
        "anna.schmidt@login.hpc.example, anna.schmidt",
        "anna@REALM@vm, anna@REALM",
        "CORP\\anna@vm, CORP_anna",
        "a+b@vm, a+b",
        "größe@vm, größe"
    })
    void users_with_dots_and_domains_are_distinguished(final String printed, final String user) {
        final String text = "Job Id: 123[7].srv.hpc.example\n    Job_Name = a|b 'c' \"d\"\n    Job_Owner = " + printed
                + "\n    job_state = Q\n    queue = batch\n    ctime = Fri Nov 20 13:32:37 2026\n"
                + "    Resource_List.walltime = 1000:00:00\n    Resource_List.nodes = 1:ppn=2\n\n";
        final TorqueJob job = new JobQuery(RecordedOutput.SITE, List.of(), List.of())
                .parse(text)
                .get(0);
        final JobObserved seen =
                JobMapper.of(RecordedOutput.SITE.cluster(), ReportedJob.of(job), Control.NATIVE, NOW, Set.of());
        assertThat(seen.owner()).isEqualTo(UserName.of(user));
        assertThat(seen.walltime()).isEqualTo(Duration.ofHours(1000));
        assertThat(seen.name()).isEqualTo("a|b 'c' \"d\"");
        assertThat(seen.detail().array().array()).isEqualTo("123[].srv.hpc.example");
    }

    @Test
    void nodes_are_observed_with_free_capacity_in_both_formats() {
        for (final String number : List.of("040", "041")) {
            final TorqueNode node = new TorqueNode(
                    ListingReader.nodes(RecordedOutput.of(number).output()).get(0));
            final NodeObserved seen = node.observed(RecordedOutput.SITE.cluster(), Map.of(), List.of());
            assertThat(seen.node()).isEqualTo(NodeName.of("vm"));
            assertThat(seen.availability()).isEqualTo(Availability.UP);
            assertThat(seen.total()).isEqualTo(new Resources(64, 1, 24106, 0));
            assertThat(seen.free().cores()).isEqualTo(64 - 13);
            assertThat(node.slots()).containsEntry("1.vm", 4).containsEntry("5[3].vm", 1);
        }
        final NodeObserved offline = new TorqueNode(
                        ListingReader.nodes(RecordedOutput.of("175").output()).get(0))
                .observed(RecordedOutput.SITE.cluster(), Map.of(), List.of());
        assertThat(offline.availability()).isEqualTo(Availability.DRAINED);
        assertThat(offline.reason()).isEqualTo("maint by agent");
        assertThat(offline.free()).isEqualTo(Resources.NONE);
    }

    @Test
    void slot_lists_of_old_and_new_versions_are_counted() {
        assertThat(node("n1", Map.of("np", "8", "state", "free", "jobs", "0/12.srv, 1/12.srv, 2/13.srv.site.org"))
                        .slots())
                .isEqualTo(Map.of("12.srv", 2, "13.srv.site.org", 1));
        assertThat(node("n1", Map.of("np", "8", "state", "free", "jobs", "0,2-3/12.srv,5/13[7].srv"))
                        .slots())
                .isEqualTo(Map.of("12.srv", 3, "13[7].srv", 1));
    }

    @Test
    void node_states_are_distinguished() {
        assertThat(node("n", Map.of("state", "job-exclusive")).availability()).isEqualTo(Availability.UP);
        assertThat(node("n", Map.of("state", "down,offline")).availability()).isEqualTo(Availability.DOWN);
        assertThat(node("n", Map.of("state", "offline,job-exclusive")).availability())
                .isEqualTo(Availability.DRAINED);
        assertThat(node("n", Map.of("state", "state-unknown")).availability()).isEqualTo(Availability.UNKNOWN);
        assertThat(node("n", Map.of("state", "busy", "np", "4")).freeCores()).isZero();
    }

    private static TorqueNode node(final String name, final Map<String, String> output) {
        final PbsObject.Builder node = new PbsObject.Builder(name);
        output.forEach(node::add);
        return new TorqueNode(node.build());
    }

    @Test
    void queues_are_partitions_with_limits() {
        final List<PartitionObserved> queues = ListingReader.queues(
                        RecordedOutput.of("036").output())
                .stream()
                .map(output -> new TorqueQueue(output)
                        .observed(RecordedOutput.SITE.cluster(), List.of(node("vm", Map.of("np", "64"))), "batch"))
                .toList();

        assertThat(queues)
                .extracting(queue -> queue.partition().value())
                .containsExactly("batch", "short", "stopped", "closed");
        assertThat(queues).extracting(PartitionObserved::open).containsExactly(true, true, false, false);
        assertThat(queues).extracting(PartitionObserved::isDefault).containsExactly(true, false, false, false);
        assertThat(queues).extracting(queue -> queue.limits().accepts()).containsExactly(true, true, true, false);
        assertThat(queues.get(0).limits().defaultWalltime()).isEqualTo(Duration.ofHours(1));
        assertThat(queues.get(1).walltimeLimit()).isEqualTo(Duration.ofMinutes(30));
        assertThat(queues).extracting(PartitionObserved::cores).containsOnly(64);
    }

    @Test
    void a_queue_can_be_restricted_to_users_and_nodes() {
        final PartitionObserved big = new TorqueQueue(new PbsObject.Builder("big")
                        .add("enabled", "True")
                        .add("started", "True")
                        .add("resources_default.neednodes", "bigmem")
                        .add("resources_max.nodect", "4")
                        .add("acl_user_enable", "True")
                        .add("acl_users", "alice@vm,-bob@*,anna.schmidt")
                        .add("acl_group_enable", "True")
                        .add("acl_groups", "physics")
                        .build())
                .observed(
                        RecordedOutput.SITE.cluster(),
                        List.of(node("a", Map.of("np", "64", "properties", "ib,bigmem")), node("b", Map.of("np", "8"))),
                        "batch");

        assertThat(big.cores()).isEqualTo(64);
        assertThat(big.limits().maxNodes()).isEqualTo(4);
        assertThat(big.access().users()).containsExactlyInAnyOrder(UserName.of("alice"), UserName.of("anna.schmidt"));
        assertThat(big.access().deniedUsers()).containsExactly(UserName.of("bob"));
        assertThat(big.access().groups()).containsExactly("physics");
    }

    @Test
    void the_server_reports_who_starts_jobs_and_its_version() {
        final PbsObject server = new ServerQuery(RecordedOutput.SITE)
                .parse(RecordedOutput.of("038").output());

        assertThat(ServerQuery.control(server)).isEqualTo(Control.NATIVE);
        assertThat(TorqueFeatures.version(server)).isEqualTo("master");
        assertThat(new TorqueFeatures("OpenPBS_2.3", false, false).isOpenPbs23())
                .isTrue();
        assertThat(new TorqueFeatures("6.1.2", true, true).isOpenPbs23()).isFalse();
        assertThat(new TorqueFeatures("6.1.2", true, true).name()).isEqualTo("torque 6.1.2");
    }

    @Test
    void output_of_openpbs_2_3_is_read_with_fewer_attributes() {
        final String output = """
                Job Id: 12.head.site.org
                    Job_Name = wrf run
                    Job_Owner = anna.schmidt@login1.site.org
                    resources_used.walltime = 1200:00:01
                    job_state = R
                    queue = workq
                    server = head.site.org
                    Checkpoint = u
                    ctime = Thu Feb  5 09:01:02 2004
                    exec_host = n01/1+n01/0+n02/0
                    Hold_Types = n
                    mtime = Thu Feb  5 09:02:03 2004
                    qtime = Thu Feb  5 09:01:02 2004
                    Rerunable = True
                    Resource_List.ncpus = 1
                    Resource_List.neednodes = 1:ppn=2+1
                    Resource_List.nodect = 2
                    Resource_List.nodes = 1:ppn=2+1
                    Resource_List.walltime = 1200:00:00
                    Variable_List = PBS_O_HOME=/home/anna,PBS_O_WORKDIR=/home/anna/a
                \tvery long path,PBS_O_SHELL=/bin/sh
                    euser = anna.schmidt

                """;
        final JobObserved job = observed(
                new JobQuery(RecordedOutput.SITE, List.of(), List.of()).parse(output),
                "12.head.site.org",
                Control.NATIVE);

        assertThat(job.owner()).isEqualTo(UserName.of("anna.schmidt"));
        assertThat(job.resources()).isEqualTo(new Resources(3, 2, 0, 0));
        assertThat(job.walltime()).isEqualTo(Duration.ofHours(1200));
        assertThat(job.state())
                .isEqualTo(new JobState.Running(
                        Instant.parse("2004-02-05T09:02:03Z"), List.of(NodeName.of("n01"), NodeName.of("n02"))));
        assertThat(job.restarts()).isZero();
    }

    @Test
    void an_unknown_state_letter_is_reported() {
        final String output = "Job Id: 3.vm\n    job_state = Z\n    queue = batch\n    Job_Owner = a@vm\n\n";

        assertThat(observed(
                                new JobQuery(RecordedOutput.SITE, List.of(), List.of()).parse(output),
                                "3.vm",
                                Control.NATIVE)
                        .state())
                .isEqualTo(new JobState.Unknown("Z"));
    }

    @Test
    void incomplete_or_unexpected_output_is_not_an_empty_queue() {
        final String whole = RecordedOutput.of("029").output();
        for (int cut = whole.length() - 2; cut > whole.length() - 1000; cut -= 97) {
            final String part = whole.substring(0, cut);
            assertThatThrownBy(() -> ListingReader.jobs(part)).isInstanceOf(IllegalArgumentException.class);
        }
        final String xml = RecordedOutput.of("031").output();
        assertThatThrownBy(() -> ListingReader.jobs(xml.substring(0, xml.length() - 200)))
                .hasMessageContaining("is incomplete");
        assertThatThrownBy(() -> ListingReader.jobs("qstat: something is wrong\n"))
                .hasMessageContaining("something is wrong");
        assertThat(ListingReader.jobs("")).isEmpty();
        assertThat(ListingReader.jobs("<?xml version=\"1.0\"?>\n<Data></Data>\n"))
                .isEmpty();
    }

    @Test
    void a_line_break_in_a_users_value_cannot_imitate_an_attribute() {
        final String output = """
                Job Id: 3.vm
                    Job_Name = mine
                    Job_Owner = mallory@vm
                    job_state = H
                    queue = batch
                    Hold_Types = s
                    Variable_List = X=
                    comment = millrace:entry/s@0
                    Job_Owner = alice@vm
                    comment = stop this until Monday

                """;
        final JobObserved job =
                observed(new JobQuery(RecordedOutput.SITE, List.of(), List.of()).parse(output), "3.vm", Control.NATIVE);

        assertThat(job.owner()).isEqualTo(UserName.of("mallory"));
        assertThat(job.state()).isEqualTo(new JobState.Held(HoldKind.OPERATOR));
    }

    @Test
    void xml_with_forbidden_characters_is_read() {
        final String output = "<Data><Job><Job_Id>3.vm</Job_Id><Job_Name>a&lt;b&amp;c&quot;&#252;</Job_Name>"
                + "<job_state>Q</job_state><queue>batch</queue><Job_Owner>a@vm</Job_Owner><comment></comment>"
                + "<Variable_List>ESC=\u001b[1m,MILLRACE_NAME=x</Variable_List></Job></Data>";
        final TorqueJob job = new TorqueJob(ListingReader.jobs(output).get(0));

        assertThat(job.object().get("Job_Name")).isEqualTo("a<b&c\"ü");
        assertThat(job.variables()).containsEntry("ESC", "\u001b[1m");
        assertThat(job.comment()).isEmpty();
    }

    @Test
    void names_and_paths_survive_the_variable_list() {
        for (final String text : List.of("two words", "a,b=c;'\"", "Größe 温度", "x\ny\tz", "50%2F+", "")) {
            assertThat(JobVariables.encode(text)).matches("[A-Za-z0-9._%-]*");
            assertThat(JobVariables.decode(JobVariables.encode(text))).isEqualTo(text);
        }
        assertThat(JobVariables.shortName("9 lives of a very long name")).isEqualTo("j9_lives_of_a_v");
        assertThat(JobVariables.shortName("")).isEqualTo("j");
    }

    @Test
    void a_node_specification_is_read_and_written() {
        final NodeSpec spec = NodeSpec.read("2:ppn=4:bigmem+n7:ppn=2:gpus=1+3#excl");
        assertThat(spec.nodes()).isEqualTo(6);
        assertThat(spec.cores()).isEqualTo(2 * 4 + 2 + 3);
        assertThat(spec.gpus()).isEqualTo(1);
        assertThat(spec.parts().get(1).properties()).containsExactly("n7");

        assertThat(NodeSpec.of(3, 0, 2, 0)).hasToString("1:ppn=2+1:ppn=1");
        assertThat(NodeSpec.of(4, 0, 16, 0)).hasToString("1:ppn=4");
        assertThat(NodeSpec.of(7, 3, 16, 0)).hasToString("1:ppn=3+2:ppn=2");
        assertThat(NodeSpec.of(4, 2, 16, 2)).hasToString("2:ppn=2:gpus=1");
    }
}
