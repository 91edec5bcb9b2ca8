package io.millrace.agent.lsf;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.lsf.command.LsfCommand;
import io.millrace.agent.lsf.command.LsfFeatures;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.lsf.observe.PendingArrayTasks;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.UserSentence;
import io.millrace.model.JobKey;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sentences for users beside their job, by {@code bpost -d}: {@code bread} and, on LSF, {@code bjobs -l} show them. Root and LSF
 * administrators may post to jobs of others (bpost(1)).
 */
final class JobMessages {

    private final LsfSite site;
    private final Runner runner;
    private final Supplier<Answer<LsfFeatures>> features;
    private final PendingArrayTasks tasks;

    JobMessages(
            final LsfSite site,
            final Runner runner,
            final Supplier<Answer<LsfFeatures>> features,
            final PendingArrayTasks tasks) {
        this.site = site;
        this.runner = runner;
        this.features = features;
        this.tasks = tasks;
    }

    /** Posts the sentence if the command succeeded; the answer of the command in any case. */
    Answer<Accepted> after(final Answer<Accepted> command, final JobKey job, final @Nullable UserSentence why) {
        if (why != null && command instanceof Answer.Ok<Accepted> && accepts(job)) {
            runner.run(LsfCommand.of(site, "bpost", "-d", why.text(), job.id().local()));
        }
        return command;
    }

    /** OpenLava posts a message of one task to all later tasks of its array, and frees it once for each. */
    private boolean accepts(final JobKey job) {
        final boolean isTask = job.id().local().indexOf('[') >= 0;
        return !tasks.isArray(job)
                && (!isTask
                        || features.get() instanceof Answer.Ok<LsfFeatures> known
                                && known.value().version().isLsf());
    }
}
