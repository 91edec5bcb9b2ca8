package io.millrace.agent.wlm;

import io.millrace.model.cluster.JobObserved;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The jobs of a listing. One job that cannot be read hides no other one.
 *
 * @param unreadable local ids of the jobs that could not be read
 */
public record ReadJobs(List<JobObserved> jobs, Set<String> unreadable) {

    private static final Logger LOG = LoggerFactory.getLogger(ReadJobs.class);

    public ReadJobs {
        jobs = List.copyOf(jobs);
        unreadable = Set.copyOf(unreadable);
    }

    /** @param reader throws {@link IllegalArgumentException} for a job that it cannot read */
    public static <T> ReadJobs of(
            final Collection<T> listed, final Function<T, String> localId, final Function<T, JobObserved> reader) {
        final List<JobObserved> jobs = new ArrayList<>(listed.size());
        final Set<String> unreadable = new TreeSet<>();
        for (final T job : listed) {
            try {
                jobs.add(reader.apply(job));
            } catch (final IllegalArgumentException e) {
                unreadable.add(localId.apply(job));
                LOG.atDebug()
                        .addKeyValue("jobId", localId.apply(job))
                        .addKeyValue("reason", e.getMessage())
                        .log("cannot read a listed job");
            }
        }
        return new ReadJobs(jobs, unreadable);
    }
}
