package io.millrace.agent.slurm.qos;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.SettingUpdate;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Tier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sets the tiers of several pending jobs: one query, one {@code scontrol update} for each QoS, and a second query that shows what changed.
 * Slurm updates the jobs of a list one by one, so one that it refuses does not keep the others from changing.
 */
final class TierMoves {

    private final SlurmSite site;
    private final Runner runner;
    private final JobLookup jobs;
    private final QosNames names;
    private final BiFunction<JobKey, Tier, Answer<Accepted>> single;
    private final Map<JobKey, Answer<Accepted>> answers = new LinkedHashMap<>();

    /** @param single for arrays, jobs that run, and those for which there is an answer without a move */
    TierMoves(
            final SlurmSite site,
            final Runner runner,
            final JobLookup jobs,
            final QosNames names,
            final BiFunction<JobKey, Tier, Answer<Accepted>> single) {
        this.site = site;
        this.runner = runner;
        this.jobs = jobs;
        this.names = names;
        this.single = single;
    }

    Map<JobKey, Answer<Accepted>> set(final Map<JobKey, Tier> tiers) {
        final Map<String, List<JobKey>> moves = new LinkedHashMap<>();
        final Map<JobKey, QueuedJob> rows = rows(tiers.keySet());
        tiers.forEach((job, tier) -> {
            final QueuedJob row = rows.get(job);
            if (row == null || !isPlainMove(row, tier)) {
                answers.put(job, single.apply(job, tier));
            } else {
                moves.computeIfAbsent(wanted(row, tier), qos -> new ArrayList<>())
                        .add(job);
            }
        });
        moves.forEach(this::move);
        return answers;
    }

    /** The jobs by key; empty if Slurm does not answer. */
    private Map<JobKey, QueuedJob> rows(final Collection<JobKey> keys) {
        final Map<JobKey, QueuedJob> rows = new LinkedHashMap<>();
        if (jobs.rows(keys.stream().map(key -> key.id().local()).toList()) instanceof Answer.Ok<List<QueuedJob>> ok) {
            ok.value().forEach(row -> rows.put(row.key(site.cluster()), row));
        }
        return rows;
    }

    /** A pending job without tasks or components, which a preemption would not end. */
    private boolean isPlainMove(final QueuedJob row, final Tier tier) {
        return row.cell("jobarrayid").matches("\\d+")
                && JobStates.of(row).isWaiting()
                && !row.cell("qos").equals(wanted(row, tier))
                && (tier == Tier.GUARANTEED
                        || row.cell("requeue").equals("1")
                                && row.cell("batchflag").equals("1"));
    }

    private String wanted(final QueuedJob row, final Tier tier) {
        return switch (tier) {
            case GUARANTEED -> names.own(UserName.of(row.cell("username")));
            case BORROWED -> names.common();
        };
    }

    private void move(final String qos, final List<JobKey> keys) {
        final List<String> ids = keys.stream().map(key -> key.id().local()).toList();
        final Answer<Accepted> done = runner.run(SettingUpdate.qos(site, String.join(",", ids), qos));
        final Map<JobKey, QueuedJob> now = rows(keys);
        keys.forEach(key -> answers.put(key, answer(key, now.get(key), qos, done)));
    }

    private static Answer<Accepted> answer(
            final JobKey key, final @Nullable QueuedJob now, final String qos, final Answer<Accepted> done) {
        if (now != null && now.cell("qos").equals(qos)) {
            return Answer.ok(new Accepted("moved to QoS " + qos));
        }
        return done instanceof Answer.Trouble<Accepted>
                ? done
                : Answer.trouble(
                        Answer.Kind.UNREADABLE,
                        "Slurm accepted QoS " + qos + " for job " + key.id().local() + " but "
                                + (now == null ? "no longer lists it" : "reports " + now.cell("qos")));
    }
}
