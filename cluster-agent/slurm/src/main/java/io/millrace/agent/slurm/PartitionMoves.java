package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.command.HoldUpdate;
import io.millrace.agent.slurm.command.SettingUpdate;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.query.JobLookup;
import io.millrace.agent.slurm.query.JobObservation;
import io.millrace.agent.slurm.query.JobStates;
import io.millrace.agent.slurm.query.PartitionQuery;
import io.millrace.agent.slurm.query.QueuedJob;
import io.millrace.agent.slurm.query.TargetId;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.decide.ClusterOffering;
import io.millrace.decide.JobEligibility;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.Veto;
import io.millrace.model.cluster.ClusterConditions;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Starts jobs in another partition, and sets the partitions in which they may start. Slurm may move a job although it reports an error
 * ("Requested partition configuration not available now"), so after an error the job is queried and, if needed, moved back.
 */
final class PartitionMoves {

    private final SlurmSite site;
    private final Runner runner;
    private final Clock clock;
    private final JobLookup jobs;
    private final Holds holds;

    PartitionMoves(
            final SlurmSite site, final Runner runner, final Clock clock, final JobLookup jobs, final Holds holds) {
        this.site = site;
        this.runner = runner;
        this.clock = clock;
        this.jobs = jobs;
        this.holds = holds;
    }

    // ---- start in another partition

    Answer<Accepted> start(final JobKey job, final PartitionName to) {
        return holds.startable(job)
                .then(seen -> seen.partitions().equals(List.of(to))
                        ? holds.release(seen, true)
                        : partition(seen, to)
                                .then(there -> veto(seen, there)
                                        .<Answer<Accepted>>map(reason -> refused(seen, to.value(), reason))
                                        .orElseGet(() -> startIn(seen, to))));
    }

    private Answer<PartitionObserved> partition(final QueuedJob seen, final PartitionName name) {
        return runner.run(new PartitionQuery(site))
                .then(all -> all.stream()
                        .filter(one -> one.partition().equals(name))
                        .findFirst()
                        .map(Answer::ok)
                        .orElseGet(() -> refused(seen, name.value(), unknown(all))));
    }

    /** Why the job would never start there. {@code scontrol update} would move it without an error, and it would stay pending. */
    private Optional<String> veto(final QueuedJob seen, final PartitionObserved there) {
        final JobObserved job = JobObservation.of(site.cluster(), seen, clock.instant());
        if (!there.open()) {
            return Optional.of(
                    "it starts no jobs; to open it: scontrol update PartitionName=" + there.partition() + " State=UP");
        }
        return job.walltime() == null && there.walltimeLimit() != null
                ? Optional.of("the job has no walltime, and the partition allows at most " + there.walltimeLimit()
                        + "; set a walltime")
                : ownRules(there).in(there, JobEligibility.Request.of(job)).map(Veto::reason);
    }

    /** The rules of the partition itself, with the cluster's own names. */
    private JobEligibility ownRules(final PartitionObserved partition) {
        return new JobEligibility(
                List.of(partition),
                new ClusterOffering(List.of(), null, ClusterConditions.unknown(site.cluster())),
                Resources.NONE);
    }

    /** One request moves and marks the job, another releases it. After a crash between the two the entry hold is still set. */
    private Answer<Accepted> startIn(final QueuedJob seen, final PartitionName to) {
        final String target = TargetId.isPendingArray(seen) ? TargetId.nextTask(seen) : TargetId.of(seen);
        return switch (runner.run(holds.startMark(seen, target, true).inPartitions(to.value()))) {
            case Answer.Ok<Accepted> moved ->
                holds.liftHold(seen, target, moved.value()).map(done -> moved(seen, target, to));
            case Answer.Trouble<Accepted> trouble -> restore(seen, target, to.value(), trouble);
        };
    }

    private static Accepted moved(final QueuedJob seen, final String target, final PartitionName to) {
        return new Accepted("released " + target + " in partition " + to + " instead of " + seen.cell("partition"));
    }

    // ---- several partitions

    Answer<Accepted> setPartitions(final JobKey job, final List<PartitionName> partitions) {
        return partitions.isEmpty()
                ? Answer.trouble(
                        Answer.Kind.REJECTED,
                        "the partition list is empty; name the partitions in which the job may start")
                : jobs.current(job)
                        .then(seen -> JobStates.of(seen).isWaiting()
                                ? change(seen, partitions)
                                : jobs.wrongState(seen, "is not pending; its state is " + seen.cell("state")));
    }

    private Answer<Accepted> change(final QueuedJob seen, final List<PartitionName> wanted) {
        return Set.copyOf(seen.partitions()).equals(Set.copyOf(wanted))
                ? Answer.ok(new Accepted(seen.localId() + " already has partitions " + seen.cell("partition")))
                : acceptedNames(seen, wanted).then(names -> {
                    final String target = TargetId.of(seen);
                    return switch (runner.run(SettingUpdate.partitions(site, target, names))) {
                        case Answer.Ok<Accepted> done -> done;
                        case Answer.Trouble<Accepted> trouble -> restore(seen, target, names, trouble);
                    };
                });
    }

    /** Slurm silently drops partitions that accept no jobs from a list. */
    private Answer<String> acceptedNames(final QueuedJob seen, final List<PartitionName> wanted) {
        return runner.run(new PartitionQuery(site)).then(all -> {
            final List<PartitionName> accepting = accepting(all);
            final List<PartitionName> missing =
                    wanted.stream().filter(name -> !accepting.contains(name)).toList();
            return missing.isEmpty() ? Answer.ok(join(wanted)) : refused(seen, join(missing), unknown(all));
        });
    }

    // ---- refusals

    private static String unknown(final List<PartitionObserved> all) {
        return "it does not exist or accepts no jobs; partitions that accept jobs: " + join(accepting(all));
    }

    private static List<PartitionName> accepting(final List<PartitionObserved> all) {
        return all.stream()
                .filter(one -> one.limits().accepts())
                .map(PartitionObserved::partition)
                .toList();
    }

    /**
     * Restores the job's AdminComment and partitions after an error, unless it is unknown whether Slurm executed the command.
     *
     * @param before the job before the command
     */
    private Answer<Accepted> restore(
            final QueuedJob before, final String target, final String to, final Answer.Trouble<Accepted> trouble) {
        return switch (trouble.kind()) {
            case DOWN, TIMEOUT, STOPPED, UNREADABLE, NO_SUCH_JOB -> trouble;
            case DENIED, WRONG_STATE, DOES_NOT_FIT, REJECTED ->
                switch (restored(before, target)) {
                    case Answer.Ok<Accepted> ok -> refused(before, to, trouble.reason());
                    case Answer.Trouble<Accepted> failed ->
                        Answer.trouble(
                                failed.kind(),
                                "partition " + to + " does not accept job "
                                        + new JobId(site.cluster(), before.localId()) + " (" + trouble.reason()
                                        + "), and moving it back to partition " + before.cell("partition")
                                        + " failed: " + failed.reason());
                };
        };
    }

    private Answer<Accepted> restored(final QueuedJob before, final String target) {
        return waitsAsBefore(before, target)
                .then(asBefore -> asBefore
                        ? Answer.ok(new Accepted("nothing changed"))
                        : runner.run(HoldUpdate.of(site, target, before.cell("admin_comment"))
                                .inPartitions(before.cell("partition"))));
    }

    private Answer<Boolean> waitsAsBefore(final QueuedJob before, final String target) {
        return jobs.rows(List.of(target))
                .map(rows -> rows.stream().allMatch(row -> row.cell("partition").equals(before.cell("partition"))));
    }

    private <T> Answer<T> refused(final QueuedJob job, final String to, final String reason) {
        return Answer.trouble(
                Answer.Kind.REJECTED,
                "partition " + to + " does not accept job " + new JobId(site.cluster(), job.localId())
                        + ", which stays in partition " + job.cell("partition") + ": " + reason);
    }

    private static String join(final List<PartitionName> names) {
        return names.stream().map(PartitionName::value).collect(Collectors.joining(","));
    }
}
