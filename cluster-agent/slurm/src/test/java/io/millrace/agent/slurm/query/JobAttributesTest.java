package io.millrace.agent.slurm.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.millrace.agent.exec.ReplayRunner;
import io.millrace.agent.slurm.Transcripts;
import io.millrace.agent.slurm.format.ArrayRange;
import io.millrace.agent.slurm.format.Quantities;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.NodeObserved.Availability;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import io.millrace.model.cluster.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads a recorded cluster whose jobs, nodes and partitions use every attribute that Slurm supports, in several releases. */
@ParameterizedClass
@ValueSource(strings = {"varied", "varied-26.05"})
class JobAttributesTest {

    private final Map<String, JobObserved> jobs;
    private final Map<String, NodeObserved> nodes;
    private final Map<String, PartitionObserved> partitions;

    JobAttributesTest(final String transcript) {
        final ReplayRunner recorded = Transcripts.of(transcript);
        final List<QueuedJob> queue = recorded.run(JobQuery.queue(Transcripts.SITE, Transcripts.NONCE))
                .get();
        jobs = queue.stream()
                .map(job -> JobObservation.of(Transcripts.SITE.cluster(), job, Instant.parse("2030-01-01T00:00:00Z")))
                .collect(Collectors.toMap(
                        job -> job.detail().array() == null
                                ? job.name()
                                : job.name() + " " + job.detail().array().indices(),
                        Function.identity()));
        nodes = recorded.run(new NodeQuery(Transcripts.SITE, Transcripts.NONCE)).get().stream()
                .collect(Collectors.toMap(node -> node.node().value(), Function.identity()));
        partitions = recorded.run(new PartitionQuery(Transcripts.SITE)).get().stream()
                .collect(Collectors.toMap(one -> one.partition().value(), Function.identity()));
    }

    @Test
    void pending_tasks_of_an_array_are_one_job_with_their_indices_and_the_resources_of_one_task() {
        final JobObserved waiting = jobs.get("array 1,5,7,9,20-30");

        assertThat(waiting.detail().array()).isEqualTo(new ArrayTasks("1", "1,5,7,9,20-30", 15, 3));
        assertThat(waiting.job().id().local()).isEqualTo("1");
        assertThat(waiting.resources()).isEqualTo(new Resources(1, 0, 100, 0));
    }

    @Test
    void a_running_array_task_is_a_separate_job_that_refers_to_its_array() {
        final JobObserved task = jobs.get("array 3");

        assertThat(task.state()).isInstanceOf(JobState.Running.class);
        assertThat(task.job().id().local()).isEqualTo("1_3");
        assertThat(task.detail().array()).isEqualTo(new ArrayTasks("1", "3", 1, null));
    }

    @Test
    void tasks_are_counted_in_every_form_of_an_index_list() {
        assertThat(ArrayRange.read("7_[1-9:2%3]")).isEqualTo(new ArrayRange("1-9:2", 5, 3, 1, true));
        assertThat(ArrayRange.read("7_[0,2-10:4,99]")).isEqualTo(new ArrayRange("0,2-10:4,99", 5, null, 0, true));
        assertThat(ArrayRange.read("7_[5]")).isEqualTo(new ArrayRange("5", 1, null, 5, true));
        assertThat(ArrayRange.read("7_[1-4%0]")).isEqualTo(new ArrayRange("1-4", 4, null, 1, true));
        assertThat(ArrayRange.read("7")).isNull();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ArrayRange.read("7_[1,3,5,...%2]"))
                .withMessageContaining("is truncated");
    }

    @Test
    void the_components_of_a_heterogeneous_job_are_one_job() {
        final JobObserved whole = jobs.get("two parts");

        assertThat(whole.job().id().local()).isEqualTo("3");
        assertThat(whole.resources()).isEqualTo(new Resources(3, 2, 300, 0));
        assertThat(((JobState.Running) whole.state()).nodes())
                .containsExactlyInAnyOrder(NodeName.of("n1"), NodeName.of("n2"));
    }

    @Test
    void placement_constraints_are_read() {
        final JobObserved constrained = jobs.get("choosy");

        assertThat(constrained.detail().placement())
                .isEqualTo(new Placement(
                        List.of("ssd", "ib-hdr"),
                        0,
                        false,
                        List.of(NodeName.of("n1")),
                        Map.of("matlab", 2, "ansys", 1)));
        assertThat(constrained.resources()).isEqualTo(new Resources(2, 0, 20, 1));
        assertThat(constrained.detail().rerunnable()).isFalse();
        assertThat(constrained.detail().qos()).isEqualTo("normal");
        assertThat(constrained.project()).isEqualTo(ProjectName.of("lab"));
        assertThat(constrained.partition())
                .as("the first of several partitions")
                .isEqualTo(PartitionName.of("main"));
        assertThat(constrained.detail().partitions())
                .containsExactly(PartitionName.of("main"), PartitionName.of("short"));
    }

    @Test
    void exclusive_nodes_tasks_per_node_and_alternative_features_are_read() {
        final Placement whole = jobs.get("whole nodes").detail().placement();
        assertThat(whole.exclusive()).isTrue();
        assertThat(whole.coresPerNode()).isEqualTo(2);
        assertThat(jobs.get("whole nodes").resources().nodes()).isEqualTo(2);

        assertThat(jobs.get("either feature").detail().placement().features()).containsExactly("[ssd|ib-hdr]");
        assertThat(jobs.get("either feature").resources().gpus()).isEqualTo(3);
    }

    @Test
    void dependencies_are_kept_in_slurms_notation() {
        assertThat(jobs.get("after both").detail().dependencies())
                .hasSize(2)
                .allMatch(one -> one.matches("after(ok|any):\\d+(_\\*)?"));
        assertThat(jobs.get("after either").detail().dependencies())
                .singleElement()
                .asString()
                .contains("?");
        assertThat(jobs.get("after both").eligibility()).isEqualTo(Eligibility.not(Obstacle.DEPENDENCY));
        assertThat(JobObservation.dependencies("afterok:1_*(unfulfilled),afternotok:2(failed)"))
                .containsExactly("afterok:1_*", "afternotok:2");
        assertThat(JobObservation.dependencies("")).isEmpty();
    }

    @Test
    void an_interactive_job_is_recognized() {
        final JobObserved interactive = jobs.get("interactive");

        assertThat(interactive.detail().interactive()).isTrue();
        assertThat(interactive.detail().rerunnable()).isFalse();
        assertThat(interactive.state()).isEqualTo(new JobState.Held(HoldKind.ENTRY));
        assertThat(jobs.get("choosy").detail().interactive()).isFalse();
    }

    @Test
    void long_names_are_complete_and_unlimited_means_no_walltime() {
        assertThat(jobs).containsKey("n".repeat(1000) + "ä");
        assertThat(jobs.get("n".repeat(1000) + "ä").resources().gpus()).isEqualTo(2);
        assertThat(jobs.get("unlimited").walltime()).isNull();
    }

    @Test
    void nodes_have_resources_features_and_partitions() {
        final NodeObserved node = nodes.get("n1");

        assertThat(nodes).hasSize(4);
        assertThat(node.total()).isEqualTo(new Resources(4, 1, 4000, 2));
        assertThat(node.free().memoryMib()).isLessThan(4000);
        assertThat(node.features()).containsExactly("ib-hdr", "ssd");
        assertThat(node.partitions())
                .extracting(PartitionName::value)
                .containsExactly("closed", "draining", "granted", "main", "short", "shut");
        assertThat(nodes.get("n4").availability()).isEqualTo(Availability.DOWN);
        assertThat(nodes.get("n4").reason()).isEqualTo("fan");
        assertThat(nodes.get("n4").free()).isEqualTo(Resources.NONE);
    }

    @Test
    void limits_of_partitions_are_read() {
        assertThat(partitions.get("short").walltimeLimit()).isEqualTo(Duration.ofMinutes(30));
        assertThat(partitions.get("short").limits())
                .isEqualTo(new PartitionLimits(true, 1, 2, 6, Duration.ofMinutes(5)));
        assertThat(partitions.get("whole").walltimeLimit()).isNull();
        assertThat(partitions.get("main").isDefault()).isTrue();
        assertThat(partitions.get("idle").cores()).isZero();
    }

    @Test
    void access_to_partitions_is_read() {
        assertThat(partitions.get("main").access()).isEqualTo(Access.EVERYBODY);
        assertThat(partitions.get("granted").access().projects())
                .containsExactlyInAnyOrder(ProjectName.of("lab"), ProjectName.of("physics"));
        assertThat(partitions.get("granted").access().qos()).containsExactly("normal");
        assertThat(partitions.get("granted").access().deniedQos()).isNull();
        assertThat(partitions.get("closed").access().groups()).isEqualTo(Set.of("root"));
        assertThat(partitions.get("closed").access().deniedProjects()).containsExactly(ProjectName.of("lab"));
    }

    @Test
    void a_partition_that_starts_no_jobs_may_still_accept_them() {
        assertThat(partitions.values())
                .filteredOn(PartitionObserved::open)
                .extracting(one -> one.partition().value())
                .containsExactlyInAnyOrder("main", "short", "closed", "granted", "whole");
        assertThat(partitions.get("shut").limits().accepts()).isTrue();
        assertThat(partitions.get("draining").limits().accepts()).isFalse();
        assertThat(partitions.get("idle").limits().accepts()).isFalse();
    }

    @Test
    void numbers_may_have_units_and_gpu_requests_are_read_in_the_notation_of_every_version() {
        assertThat(Quantities.count("2K")).isEqualTo(2048);
        assertThat(Quantities.count("1024")).isEqualTo(1024);
        assertThat(Quantities.mebibytes("2G")).isEqualTo(2048);
        assertThat(Quantities.mebibytes("512K")).isEqualTo(1);
        assertThat(Quantities.mebibytes("4000")).isEqualTo(4000);
        assertThat(GpuCount.requested("gres:gpu:a100:2")).isEqualTo(2);
        assertThat(GpuCount.requested("gres/gpu=4")).isEqualTo(4);
        assertThat(GpuCount.requested("gres/gpu:h100=3,gres/nic=1")).isEqualTo(3);
        assertThat(GpuCount.requested("gres/gpu:1")).isEqualTo(1);
    }

    @Test
    void a_name_that_millrace_does_not_allow_is_mapped() {
        assertThat(NameMapping.user("nobody", "5017")).isEqualTo(UserName.of("5017"));
        assertThat(NameMapping.user("nobody", "65534")).isEqualTo(UserName.of("nobody"));
        assertThat(NameMapping.user("anna.schmidt@hpc.example", "1"))
                .isEqualTo(UserName.of("anna.schmidt@hpc.example"));
        assertThat(NameMapping.project("bio chem/7")).isEqualTo(ProjectName.of("bio_chem_7"));
        assertThat(NameMapping.partitions("short,long").get(0)).isEqualTo(PartitionName.of("short"));
    }

    @Test
    void flags_after_a_node_state_are_respected() {
        assertThat(NodeStates.availability("mixed-")).isEqualTo(Availability.UP);
        assertThat(NodeStates.availability("idle%")).isEqualTo(Availability.DOWN);
        assertThat(NodeStates.availability("idle!")).isEqualTo(Availability.DRAINED);
        assertThat(NodeStates.availability("allocated$")).isEqualTo(Availability.DRAINED);
        assertThat(NodeStates.availability("inval")).isEqualTo(Availability.DOWN);
    }
}
