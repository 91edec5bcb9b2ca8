package io.millrace.submit.domain.submission;

import io.millrace.model.BatchId;
import io.millrace.model.ClusterId;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobDependency;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import io.millrace.script.ArrayTask;
import io.millrace.script.Dialect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A validated job request.
 *
 * @param array null unless the job is an array
 * @param directories one job in each; empty unless the job is such a batch
 * @param dependency on global jobs; null for none
 * @param corresponding batches of which each job waits for the job with its own index
 * @param request what it requests of its cluster beside resources and partition
 * @param files which files are copied to another cluster and back
 * @param held whether it is not placed until its owner releases it
 */
public record ValidJob(
        JobSpec spec,
        ClusterId source,
        String directory,
        @Nullable ClusterId target,
        @Nullable TaskArray array,
        List<String> directories,
        @Nullable JobDependency dependency,
        List<BatchId> corresponding,
        TargetRequest request,
        FileFilters files,
        boolean held) {

    public ValidJob {
        directories = List.copyOf(directories);
        corresponding = List.copyOf(corresponding);
    }

    /** A job of a batch. */
    public record Member(BatchMember place, ValidJob job) {}

    public boolean isBatch() {
        return array != null || !directories.isEmpty();
    }

    ValidJob withSpec(final JobSpec other) {
        return new ValidJob(
                other, source, directory, target, array, directories, dependency, corresponding, request, files, held);
    }

    /** The jobs of the batch, in the order of their indices. */
    public List<Member> jobs(final BatchId batch, final long number) {
        final List<Member> jobs = new ArrayList<>();
        if (array == null) {
            for (final String each : directories) {
                jobs.add(new Member(
                        new BatchMember(batch, jobs.size() + 1, directories.size(), null), single(spec, each)));
            }
            return jobs;
        }
        final List<Integer> indices = array.indices();
        final Set<Dialect> dialects = new ScriptDirectives(spec).dialects();
        for (final int index : indices) {
            final Map<String, String> variables = new HashMap<>(spec.environment());
            variables.putAll(new ArrayTask(number, index, indices).variables(dialects));
            jobs.add(new Member(
                    new BatchMember(batch, index, indices.size(), array.maxConcurrent()),
                    single(spec.withEnvironment(variables), directory)));
        }
        return jobs;
    }

    private ValidJob single(final JobSpec one, final String where) {
        return new ValidJob(one, source, where, target, null, List.of(), dependency, List.of(), request, files, held);
    }
}
