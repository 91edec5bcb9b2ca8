package io.millrace.agent.site;

import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.domain.SubmittedJobs;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.command.Action;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Translates observations to site names, and adds what the workload manager does not keep of jobs submitted by Millrace. */
public final class SiteTranslation {

    private final SiteMapping mapping;
    private final SubmittedJobs submitted = new SubmittedJobs();

    public SiteTranslation(final SiteMapping mapping) {
        this.mapping = mapping;
    }

    /** Reads the mapping again if it has changed. */
    public void refresh() {
        mapping.refresh();
    }

    /** The mapping to publish; null if there is none. */
    @Nullable
    public SiteMappingObserved published() {
        return mapping.published();
    }

    /** Records a submission, also of commands replayed from Kafka. */
    public void learn(final Action.Submit submit) {
        submitted.learn(submit);
    }

    /** Records published jobs. */
    public void learn(final Collection<JobObserved> published) {
        published.forEach(submitted::learn);
    }

    public SiteNames names() {
        return mapping.names();
    }

    public Observation of(final Observation seen) {
        return new Observation(
                seen.at(),
                seen.control(),
                seen.jobs().stream().map(this::of).toList(),
                seen.nodes(),
                seen.partitions());
    }

    private JobObserved of(final JobObserved seen) {
        return submitted.knows(seen.attempt()) ? submitted.complete(seen) : names().toSite(seen);
    }
}
