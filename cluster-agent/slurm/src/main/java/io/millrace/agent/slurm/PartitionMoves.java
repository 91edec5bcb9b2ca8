package io.millrace.agent.slurm;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Starts jobs in other partitions than their own, and gives them a choice. Slurm moves a job and complains in the same breath
 * ("Requested partition configuration not available now"): so what was refused is looked at again, and put back where it waited.
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

    // ---- a start elsewhere

    Answer<Accepted> start(final JobKey job, final PartitionName to) {
        return holds.startable(job)
                .then(seen -> seen.partitions().equals(List.of(to))
                        ? holds.letGo(seen, true)
                        : partition(seen, to)
                                .then(there -> veto(seen, there)
                                        .<Answer<Accepted>>map(because -> refused(seen, to.value(), because))
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

    private Optional<String> veto(final QueuedJob seen, final PartitionObserved there) {
        return PartitionVeto.of(JobObservation.of(site.cluster(), seen, clock.instant()), there);
    }

    /** The move and the mark are one request, the release follows: cut off between the two, the job waits at the gate. */
    private Answer<Accepted> startIn(final QueuedJob seen, final PartitionName to) {
        final String target = TargetId.isPendingArray(seen) ? TargetId.nextTask(seen) : TargetId.of(seen);
        return switch (runner.run(holds.startMark(seen, target, true).inPartitions(to.value()))) {
            case Answer.Ok<Accepted> moved ->
                holds.liftHold(seen, target, moved.value()).map(done -> moved(seen, target, to));
            case Answer.Trouble<Accepted> trouble -> putBack(seen, target, to.value(), trouble);
        };
    }

    private static Accepted moved(final QueuedJob seen, final String target, final PartitionName to) {
        return new Accepted("let go " + target + " in partition " + to + " instead of " + seen.cell("partition"));
    }

    // ---- a choice

    Answer<Accepted> choice(final JobKey job, final List<PartitionName> partitions) {
        return partitions.isEmpty()
                ? Answer.trouble(Answer.Kind.REJECTED, "no partition is named; name those that the job may start in")
                : jobs.current(job)
                        .then(seen -> JobStates.of(seen).isWaiting()
                                ? choose(seen, partitions)
                                : jobs.wrongState(seen, "does not wait, it is " + seen.cell("state")));
    }

    private Answer<Accepted> choose(final QueuedJob seen, final List<PartitionName> wanted) {
        return Set.copyOf(seen.partitions()).equals(Set.copyOf(wanted))
                ? Answer.ok(new Accepted(seen.localId() + " names partitions " + seen.cell("partition") + " already"))
                : taking(seen, wanted).then(names -> {
                    final String target = TargetId.of(seen);
                    return switch (runner.run(SettingUpdate.partitions(site, target, names))) {
                        case Answer.Ok<Accepted> done -> done;
                        case Answer.Trouble<Accepted> trouble -> putBack(seen, target, names, trouble);
                    };
                });
    }

    /** Slurm leaves out, without a word, those of several that take no jobs. */
    private Answer<String> taking(final QueuedJob seen, final List<PartitionName> wanted) {
        return runner.run(new PartitionQuery(site)).then(all -> {
            final List<PartitionName> taking = taking(all);
            final List<PartitionName> missing =
                    wanted.stream().filter(name -> !taking.contains(name)).toList();
            return missing.isEmpty() ? Answer.ok(join(wanted)) : refused(seen, join(missing), unknown(all));
        });
    }

    // ---- what Slurm refuses

    private static String unknown(final List<PartitionObserved> all) {
        return "there is none of that name that takes jobs; there are " + join(taking(all));
    }

    private static List<PartitionName> taking(final List<PartitionObserved> all) {
        return all.stream()
                .filter(one -> one.limits().accepts())
                .map(PartitionObserved::partition)
                .toList();
    }

    /** With the words in its comment and the partitions that it had. Whether an order got through that was not answered is not known. */
    private Answer<Accepted> putBack(
            final QueuedJob before, final String target, final String to, final Answer.Trouble<Accepted> trouble) {
        return switch (trouble.kind()) {
            case DOWN, TIMEOUT, STOPPED, UNREADABLE, NO_SUCH_JOB -> trouble;
            case DENIED, WRONG_STATE, REJECTED ->
                switch (restored(before, target)) {
                    case Answer.Ok<Accepted> ok -> refused(before, to, trouble.because());
                    case Answer.Trouble<Accepted> stays ->
                        Answer.trouble(
                                stays.kind(),
                                "partition " + to + " does not take job " + new JobId(site.cluster(), before.localId())
                                        + " (" + trouble.because() + "), and it could not be put back into "
                                        + before.cell("partition") + ": " + stays.because());
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

    private <T> Answer<T> refused(final QueuedJob job, final String to, final String because) {
        return Answer.trouble(
                Answer.Kind.REJECTED,
                "partition " + to + " does not take job " + new JobId(site.cluster(), job.localId())
                        + ", which waits in partition " + job.cell("partition") + " as before: " + because);
    }

    private static String join(final List<PartitionName> names) {
        return names.stream().map(PartitionName::value).collect(Collectors.joining(","));
    }
}
