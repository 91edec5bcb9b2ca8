package io.millrace.submit.domain.submission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobDependency.Condition;
import io.millrace.model.job.JobDependency.End;
import io.millrace.testing.Attack;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchRequestTest {

    private static final BatchId BATCH = BatchId.of("01JNFQ6M5T8W3KZX9B2C4D0000");
    private static final String JOB = "01JNFQ6M5T8W3KZX9B2C4D7E1F";

    private static ValidJob valid(
            final String directives,
            final @Nullable String array,
            final @Nullable List<String> directories,
            final @Nullable String dependency,
            final @Nullable String target) {
        final JobRequest request = new JobRequest(
                null,
                "#!/bin/sh\n" + directives + "\ntrue\n",
                null,
                null,
                null,
                null,
                null,
                null,
                "5",
                null,
                null,
                null,
                null,
                "alpha",
                "/home/anna",
                target,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                array,
                directories,
                dependency,
                null,
                null,
                null,
                null,
                null,
                null);
        return JobValidator.validate(request, Set.of(ClusterId.of("alpha")));
    }

    private static ValidJob script(final String directives) {
        return valid(directives, null, null, null, null);
    }

    private static JobDependency dependency(final String text) {
        return valid("", null, null, text, null).dependency();
    }

    @Test
    void the_array_of_a_script_becomes_a_job_for_each_index_with_the_variables_of_its_workload_manager() {
        final List<ValidJob.Member> slurm = script("#SBATCH --array=1-9:4%2").jobs(BATCH, 4711);
        assertThat(slurm)
                .extracting(ValidJob.Member::place)
                .containsExactly(
                        new BatchMember(BATCH, 1, 3, 2),
                        new BatchMember(BATCH, 5, 3, 2),
                        new BatchMember(BATCH, 9, 3, 2));
        assertThat(slurm.get(1).job().spec().environment())
                .isEqualTo(Map.of(
                        "MILLRACE_ARRAY_JOB", "4711",
                        "MILLRACE_ARRAY_INDEX", "5",
                        "SLURM_ARRAY_JOB_ID", "4711",
                        "SLURM_ARRAY_TASK_ID", "5",
                        "SLURM_ARRAY_TASK_COUNT", "3",
                        "SLURM_ARRAY_TASK_MIN", "1",
                        "SLURM_ARRAY_TASK_MAX", "9",
                        "SLURM_ARRAY_TASK_STEP", "4"));
        assertThat(variables("#PBS -J 0-1"))
                .containsEntry("PBS_ARRAY_INDEX", "0")
                .doesNotContainKey("LSB_JOBINDEX");
        assertThat(variables("#PBS -t 7,9%1")).containsEntry("PBS_ARRAYID", "7");
        assertThat(variables("#BSUB -J \"name[3-10]%2\"")).containsEntry("LSB_JOBINDEX", "3");
    }

    private static Map<String, String> variables(final String directives) {
        return script(directives).jobs(BATCH, 4711).getFirst().job().spec().environment();
    }

    @Test
    void an_array_of_the_request_replaces_that_of_the_script() {
        final ValidJob job = valid("#SBATCH --array=1-9", "2,4", null, null, null);
        assertThat(job.array()).isEqualTo(new TaskArray(List.of(2, 4), null));
        assertThat(valid("", "1", null, null, null)
                        .jobs(BATCH, 4711)
                        .getFirst()
                        .job()
                        .spec()
                        .environment())
                .containsKeys("SLURM_ARRAY_TASK_ID", "PBS_ARRAY_INDEX", "LSB_JOBINDEX");
    }

    @Test
    void a_job_is_made_in_each_directory() {
        final List<ValidJob.Member> jobs =
                valid("", null, List.of("case1", "/data/case2/"), null, null).jobs(BATCH, 4711);
        assertThat(jobs)
                .extracting(member -> member.job().directory())
                .containsExactly("/home/anna/case1", "/data/case2");
        assertThat(jobs)
                .extracting(ValidJob.Member::place)
                .containsExactly(new BatchMember(BATCH, 1, 2, null), new BatchMember(BATCH, 2, 2, null));
        assertThat(script("").isBatch()).isFalse();
    }

    @Test
    void an_empty_list_of_directories_counts_as_none_because_generated_clients_send_it() {
        assertThat(valid("", null, List.of(), null, null).isBatch()).isFalse();
        assertThat(valid("", "1-2", List.of(), null, null).jobs(BATCH, 4711)).hasSize(2);
    }

    @Attack("one request of 300 kB expands to hundreds of megabytes on the log")
    @Test
    void the_texts_of_all_jobs_together_are_limited() {
        final String large = "# " + "x".repeat(24 * 1024);
        assertThat(valid(large, "1-900", null, null, null).isBatch()).isTrue();
        assertThatThrownBy(() -> valid(large, "1-1100", null, null, null))
                .hasMessageContaining("'script' is too large for 1100 jobs")
                .hasMessageContaining("in all of them; the maximum is 25165824")
                .hasMessageContaining("Move large parts into files in the job's directory, or send fewer jobs");
        final List<String> directories =
                IntStream.range(0, 1100).mapToObj(i -> "d" + i).toList();
        assertThatThrownBy(() -> valid(large, null, directories, null, null)).hasMessageContaining("1100 jobs");
    }

    @Test
    void invalid_batches_are_refused_with_their_remedy() {
        assertThatThrownBy(() -> valid("", "1-20000", null, null, null))
                .hasMessageContaining("has 20000 tasks; the maximum is 10000");
        assertThatThrownBy(() -> valid("", "1-x", null, null, null)).hasMessageContaining("not a valid array range");
        assertThatThrownBy(() -> valid("", "1-2", List.of("a"), null, null))
                .hasMessageContaining("cannot be combined with an array");
        assertThatThrownBy(() -> valid("", null, List.of("a", "b/../a"), null, null))
                .hasMessageContaining("names a directory twice");
        assertThatThrownBy(() -> valid("", null, Collections.nCopies(10_001, "a"), null, null))
                .hasMessageContaining("must name at most 10000 directories, got 10001");
        assertThatThrownBy(() -> valid("#" + "x".repeat(100_000), "1-1000", null, null, null))
                .hasMessageContaining("is too large for 1000 jobs");
    }

    @Test
    void dependencies_name_global_jobs_and_batches() {
        assertThat(dependency("afterok:" + JOB + ":" + BATCH + ",afterany:" + JOB))
                .isEqualTo(new JobDependency(
                        true,
                        List.of(
                                Condition.on(GlobalJobId.of(JOB), End.OK),
                                Condition.on(BATCH, End.OK),
                                Condition.on(GlobalJobId.of(JOB), End.ANY))));
        assertThat(dependency("afternotok:" + JOB + "?afterok:" + BATCH).all()).isFalse();
        assertThat(script("#PBS -W depend=afterok:" + JOB).dependency()).isEqualTo(dependency("afterok:" + JOB));
        assertThat(script("#BSUB -w 'done(\"" + JOB + "\")'").dependency()).isEqualTo(dependency("afterok:" + JOB));
    }

    @Test
    void a_job_can_wait_for_a_start_and_for_other_jobs_of_its_name() {
        assertThat(dependency("singleton,after:" + JOB))
                .isEqualTo(new JobDependency(
                        true, List.of(Condition.singleton(), Condition.on(GlobalJobId.of(JOB), End.STARTED))));
        assertThat(script("#SBATCH --dependency=singleton").dependency()).isEqualTo(dependency("singleton"));
        assertThat(valid("#SBATCH -d singleton", null, null, null, "alpha").dependency())
                .isEqualTo(dependency("singleton"));
        assertThatThrownBy(() -> dependency("after:" + BATCH)).hasMessageContaining("'after' names a job, not a batch");
        assertThatThrownBy(() -> dependency("after:" + JOB + "+5")).hasMessageContaining("without a time");
    }

    @Test
    void each_job_of_a_batch_can_wait_for_the_one_with_its_index() {
        final ValidJob array = valid("", "1-3", null, "aftercorr:" + BATCH + ",afterok:" + JOB, null);
        assertThat(array.corresponding()).containsExactly(BATCH);
        assertThat(array.dependency()).isEqualTo(dependency("afterok:" + JOB));
        assertThat(script("#SBATCH --array=1-3 -d aftercorr:" + BATCH).corresponding())
                .containsExactly(BATCH);
        assertThatThrownBy(() -> dependency("aftercorr:" + BATCH)).hasMessageContaining("requires an array");
        assertThatThrownBy(() -> valid("", "1-3", null, "aftercorr:" + JOB, null))
                .hasMessageContaining("requires the number or id of a batch");
        assertThatThrownBy(() -> valid("", "1-3", null, "aftercorr:" + BATCH + "?afterok:" + JOB, null))
                .hasMessageContaining("only by commas");
    }

    @Test
    void a_dependency_on_local_jobs_needs_their_cluster() {
        for (final String local : List.of("alpha/12", "12.server")) {
            assertThat(valid("#PBS -W depend=afterok:" + local, null, null, null, "alpha")
                            .dependency())
                    .isNull();
            assertThatThrownBy(() -> script("#PBS -W depend=afterok:" + local))
                    .hasMessageContaining("'" + local + "' is not the number or id of a job or batch of Millrace")
                    .hasMessageContaining("--target");
            assertThatThrownBy(() -> valid("#PBS -W depend=afterok:" + local + ":" + JOB, null, null, null, "alpha"))
                    .hasMessageContaining("'" + local + "' is not the number or id");
        }
        assertThatThrownBy(() -> valid("#SBATCH -d afterok:beta/12", null, null, null, "alpha"))
                .hasMessageContaining("'beta/12' is a job of cluster 'beta', but the target is 'alpha'");
        assertThatThrownBy(() -> dependency("soon")).hasMessageContaining("dependency");
    }
}
