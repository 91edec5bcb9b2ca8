package io.millrace.submit.domain.submission;

import io.millrace.model.ProjectName;
import io.millrace.model.job.JobSubmitted;
import java.util.ArrayList;
import java.util.List;

/** Names in a job that nothing at the site lists, so that they may be misspelt. The job runs with them all the same. */
public final class UnlistedNames {

    private UnlistedNames() {}

    /**
     * @param clusters of the site
     * @param projectIsListed whether the site lists the project of the job, if it has one
     */
    public static List<String> notes(
            final JobSubmitted job, final List<ClusterOffer> clusters, final boolean projectIsListed) {
        final List<ClusterOffer> candidates = Feasibility.candidates(job, clusters);
        final List<String> notes = new ArrayList<>();
        final ProjectName project = job.spec().project();
        if (project != null
                && !projectIsListed
                && clusters.stream()
                        .noneMatch(cluster -> cluster.mapping().projects().containsKey(project))) {
            notes.add("project '" + project + "' is in no list of the site; check its spelling");
        }
        job.requested().software().stream()
                .filter(name -> candidates.stream()
                        .noneMatch(cluster -> cluster.mapping().modules().containsKey(name)))
                .map(name -> "software '" + name
                        + "' is listed by no cluster that can run the job; no modules are loaded" + " for it")
                .forEach(notes::add);
        return notes;
    }
}
