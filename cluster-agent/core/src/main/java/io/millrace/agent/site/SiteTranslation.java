package io.millrace.agent.site;

import io.millrace.agent.domain.SiteNames;
import io.millrace.agent.domain.SubmittedJobs;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.model.command.Action;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Shows what a workload manager says by the site's own names, with what it does not keep of jobs that Millrace handed in. */
public final class SiteTranslation {

    private final SiteMapping surroundings;
    private final SubmittedJobs handedIn = new SubmittedJobs();

    public SiteTranslation(final SiteMapping surroundings) {
        this.surroundings = surroundings;
    }

    /** Takes up a change of the names. */
    public void refresh() {
        surroundings.refresh();
    }

    /** What goes on the log of the names; null if there is nothing to say. */
    @Nullable
    public SiteMappingObserved published() {
        return surroundings.published();
    }

    /** A submission that was ever ordered, in any life of the agent. */
    public void learn(final Action.Submit submit) {
        handedIn.learn(submit);
    }

    /** What stands on the log. */
    public void learn(final Collection<JobObserved> said) {
        said.forEach(handedIn::learn);
    }

    public SiteNames names() {
        return surroundings.names();
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
        return handedIn.knows(seen.attempt()) ? handedIn.complete(seen) : names().toSite(seen);
    }
}
