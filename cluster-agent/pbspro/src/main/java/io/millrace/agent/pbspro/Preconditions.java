package io.millrace.agent.pbspro;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.pbs.PbsObject;
import io.millrace.agent.pbspro.accounting.AccountingLog;
import io.millrace.agent.pbspro.command.MarkResource;
import io.millrace.agent.pbspro.query.PbsErrors;
import io.millrace.agent.pbspro.query.PbsQueries;
import io.millrace.agent.pbspro.query.PbsQuery;
import io.millrace.agent.pbspro.query.PbsSite;
import io.millrace.agent.pbspro.query.QueryResult;
import io.millrace.agent.pbspro.query.SchedulerQuery;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.capability.Restricting;
import io.millrace.model.cluster.Capability;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The capabilities that this installation does not support, each with its remedy, and the limits of those that it supports. */
final class Preconditions implements Restricting {

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
    private final PbsQueries queries;
    private final MarkResource marks;

    Preconditions(final PbsSite site, final Runner runner, final PbsQueries queries, final MarkResource marks) {
        this.site = site;
        this.runner = runner;
        this.queries = queries;
        this.marks = marks;
    }

    @Override
    public Restrictions restrictions() {
        return new Restrictions(withheld(), remarks());
    }

    private Map<Capability, String> withheld() {
        final Map<Capability, String> withheld = new EnumMap<>(Capability.class);
        if (!(queries.all(PbsQuery.Kind.SERVER) instanceof Answer.Ok<QueryResult> ok)
                || ok.value().objects().isEmpty()) {
            return withheld; // the server does not answer; capabilities are checked again when it does
        }
        final PbsObject server = ok.value().objects().get(0);
        if (!mayOperate(server)) {
            AN_OPERATORS.forEach(capability -> withheld.put(
                    capability, "'" + site.agent() + "' is not a PBS operator; " + PbsErrors.operatorLine(site)));
        }
        marks.missing().ifPresent(reason -> withheld.putIfAbsent(Capability.HOLD, reason));
        if (!server.is("job_history_enable") && !isLogReadable()) {
            withheld.put(
                    Capability.ACCOUNTING,
                    "PBS keeps no job history and the agent cannot read the accounting log; qmgr -c 'set server"
                            + " job_history_enable = True', or give it read access to server_priv/accounting"
                            + " (deploy/pbs)");
        }
        preemption().ifPresent(reason -> withheld.put(Capability.TIER, reason));
        withheld.put(
                Capability.MOVE_TASKS,
                "PBS cannot move single subjobs of an array to another queue; they start in their own queue only");
        return withheld;
    }

    private Optional<String> preemption() {
        return switch (runner.run(new SchedulerQuery(site))) {
            case Answer.Ok<SchedulerQuery.Preemption> ok ->
                ok.value().with(config(ok.value().folder())).missing();
            case Answer.Trouble<SchedulerQuery.Preemption> trouble ->
                Optional.of("cannot determine whether the scheduler preempts by soft limits: " + trouble.reason());
        };
    }

    /** The settings of the scheduler's configuration file, if the agent can read it. */
    private Map<String, String> config(final String folder) {
        return folder.startsWith("/")
                        && runner.run(new SchedulerQuery.Config(folder + "/sched_config"))
                                instanceof Answer.Ok<Map<String, String>> ok
                ? ok.value()
                : Map.of();
    }

    private Map<Capability, String> remarks() {
        final Map<Capability, String> remarks = new EnumMap<>(Capability.class);
        remarks.put(
                Capability.START,
                "qrun checks with the scheduler that the job fits, even while the scheduler is off. If"
                        + " preemptive_sched is true, a job started so can preempt others. Subjobs of an array are started"
                        + " one at a time.");
        remarks.put(Capability.MOVE, "qmove, then start. If requeued, a job" + " waits in the queue in which it ran.");
        remarks.put(
                Capability.SIGNAL,
                "qsig signals every process of the job's session. For a job not submitted through Millrace this"
                        + " includes the login shell, which ends at a signal that it does not handle.");
        remarks.put(
                Capability.TIER,
                "PBS itself preempts, under native control only. Within one scheduling cycle it preempts jobs of users"
                        + " above their soft limit for users below theirs, the most recently started job first. A user"
                        + " exactly at the limit is not preempted. A job has no tier of its own; its owner's limit"
                        + " decides.");
        remarks.put(
                Capability.LIMIT,
                "max_run_res_soft.ncpus of the server, one value per user. Limits of queues, groups and"
                        + " [u:PBS_GENERIC] are not changed.");
        remarks.put(
                Capability.NATIVE_CHECKPOINT,
                "only on nodes with $action checkpoint_abort and $action restart in mom_priv/config, and for jobs not"
                        + " submitted with -c n. Other jobs continue to run.");
        remarks.put(
                Capability.HOLD,
                "whole arrays, not single subjobs. Millrace uses the operator hold (o), which the owner cannot"
                        + " release.");
        return remarks;
    }

    /**
     * Whether the agent is an operator. Root is a manager on the server's host; any other account must be listed as manager or
     * operator.
     */
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
