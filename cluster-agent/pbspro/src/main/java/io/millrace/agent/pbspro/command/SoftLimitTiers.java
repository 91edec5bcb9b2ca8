package io.millrace.agent.pbspro.command;

import io.millrace.agent.pbspro.query.JobLookup;
import io.millrace.agent.pbspro.query.PbsJob;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Tier;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** PBS itself distinguishes guaranteed from borrowed work by the owner's soft limit. There is no tier to move a job to. */
public record SoftLimitTiers(JobLookup jobs) implements Tiering {

    @Override
    public Answer<Accepted> setTier(final JobKey job, final Tier tier) {
        return jobs.find(job).map(seen -> unchanged(seen, tier));
    }

    @Override
    public Map<JobKey, Answer<Accepted>> setTiers(final Map<JobKey, Tier> tiers) {
        final Map<JobKey, Answer<Accepted>> answers = new LinkedHashMap<>();
        jobs.find(tiers.keySet())
                .forEach((job, found) -> answers.put(job, found.map(seen -> unchanged(seen, tiers.get(job)))));
        return answers;
    }

    private static Accepted unchanged(final PbsJob job, final @Nullable Tier tier) {
        return new Accepted(
                "unchanged: the soft limit of '" + job.owner() + "' determines which of this user's jobs are " + tier);
    }
}
