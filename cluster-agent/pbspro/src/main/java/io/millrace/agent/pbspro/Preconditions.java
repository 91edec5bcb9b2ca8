package io.millrace.agent.pbspro;

import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import io.millrace.model.cluster.Capability;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What this installation does not allow, and what would change that; and how far goes what it allows. */
final class Preconditions {

    private static final List<Capability> AN_OPERATORS = List.of(
            Capability.START,
            Capability.MOVE,
            Capability.HOLD,
            Capability.REQUEUE,
            Capability.SUSPEND,
            Capability.LIMIT,
            Capability.NATIVE_CHECKPOINT,
            Capability.ALTER);

    private final PbsSite site;
    private final Runner runner;
    private final PbsQueries reading;
    private final MarkResource marks;

    Preconditions(final PbsSite site, final Runner runner, final PbsQueries reading, final MarkResource marks) {
        this.site = site;
        this.runner = runner;
        this.reading = reading;
        this.marks = marks;
    }

    Map<Capability, String> withheld() {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        if (!(reading.all(PbsQuery.Kind.SERVER) instanceof Answer.Ok<QueryResult> ok)
                || ok.value().objects().isEmpty()) {
            return withheld; // it is silent: what it offers is asked again when it is back
        }
        final PbsObject server = ok.value().objects().get(0);
        if (!mayOperate(server)) {
            AN_OPERATORS.forEach(capability -> withheld.put(
                    capability, "'" + site.agent() + "' is no operator of PBS; " + CommandErrors.operatorLine(site)));
        }
        marks.missing().ifPresent(because -> withheld.putIfAbsent(Capability.HOLD, because));
        if (!server.is("job_history_enable") && !isLogReadable()) {
            withheld.put(
                    Capability.ACCOUNTING,
                    "PBS keeps no history and the agent cannot read its accounting log; qmgr -c 'set server"
                            + " job_history_enable = True', or let it read server_priv/accounting (deploy/pbs)");
        }
        preemption().ifPresent(because -> withheld.put(Capability.TIER, because));
        return withheld;
    }

    private Optional<String> preemption() {
        return switch (runner.run(new SchedulerQuery(site))) {
            case Answer.Ok<SchedulerQuery.Preemption> ok ->
                ok.value().with(config(ok.value().folder())).missing();
            case Answer.Trouble<SchedulerQuery.Preemption> trouble ->
                Optional.of("whether the scheduler preempts by soft limits cannot be told: " + trouble.because());
        };
    }

    /** Its settings file, where the agent can read it. */
    private Map<String, String> config(final String folder) {
        return folder.startsWith("/")
                        && runner.run(new SchedulerQuery.Config(folder + "/sched_config"))
                                instanceof Answer.Ok<Map<String, String>> ok
                ? ok.value()
                : Map.of();
    }

    Map<Capability, String> remarks() {
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.put(
                Capability.START,
                "qrun asks the scheduler for room even while it is off; where preemptive_sched is true a job started so"
                        + " may itself preempt others. Of an array one subjob is started at a time.");
        remarks.put(
                Capability.MOVE,
                "qmove, then as any start; PBS moves no single subjob, so those of arrays start in their own queue only; put"
                        + " back after that run, a job waits in the queue in which it ran");
        remarks.put(
                Capability.SIGNAL,
                "qsig reaches every process of the job's session; a job handed in past Millrace has its login shell among"
                        + " them, which ends at a signal that it does not catch.");
        remarks.put(
                Capability.TIER,
                "PBS preempts by itself, under native control only: what a user runs beyond the soft limit gives way to those"
                        + " below theirs, the youngest job first, within one scheduling cycle; a job whose owner stands"
                        + " exactly at the limit is not preempted. A job has no tier of its own: its owner's limit decides.");
        remarks.put(
                Capability.LIMIT,
                "max_run_res_soft.ncpus of the server, one figure a user; limits of queues, groups and [u:PBS_GENERIC] are"
                        + " left as the site set them.");
        remarks.put(
                Capability.NATIVE_CHECKPOINT,
                "only on nodes whose mom_priv/config has $action checkpoint_abort and $action restart, and for jobs not"
                        + " handed in with -c n; a job without them runs on.");
        remarks.put(
                Capability.HOLD,
                "arrays as a whole, subjobs not. Millrace's own hold is the operator's (o); its owner cannot lift it.");
        return remarks;
    }

    /** Root is a manager on the server's own host; anybody else must stand in one of the two lists. */
    private boolean mayOperate(final PbsObject server) {
        if (site.agent().equals("root")) {
            return true;
        }
        return (server.get("managers", "") + "," + server.get("operators", ""))
                .lines()
                .flatMap(line -> List.of(line.split(",")).stream())
                .map(entry -> entry.strip().replaceFirst("@.*", ""))
                .anyMatch(site.agent()::equals);
    }

    private boolean isLogReadable() {
        return site.accounting() != null
                && runner.run(new AccountingLog.Readable(site.accounting())) instanceof Answer.Ok<Boolean> ok
                && ok.value();
    }
}
