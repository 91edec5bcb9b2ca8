package io.millrace.agent.action;

import io.millrace.agent.domain.Guard;
import io.millrace.agent.domain.InterruptedCommand;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.ResultMapper;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Tiering;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Tier;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Result;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Moves a waiting job to another tier of a workload manager that preempts by itself. */
public record SetTierAction(Action.SetTier action) implements ShortAction {

    @Override
    public Set<Capability> needs() {
        return Set.of(Capability.TIER);
    }

    @Override
    public boolean isGrouped() {
        return true;
    }

    @Override
    public Optional<Result.Refused> refusal(final Guard guard) {
        return guard.mustExist(action.job());
    }

    @Override
    public Optional<Result> execute(final Command command, final ActionContext with) {
        return ResultMapper.result(with.wlm().get(Tiering.class).setTier(action.job(), action.tier()));
    }

    /** Executes the commands that set the tier of a job together, if there are several; their results by command. */
    public static Map<CommandId, Optional<Result>> together(final List<Command> group, final WorkloadManager wlm) {
        final Map<CommandId, JobKey> jobs = new LinkedHashMap<>();
        final Map<JobKey, Tier> tiers = new LinkedHashMap<>();
        for (final Command command : group) {
            if (command.action() instanceof Action.SetTier order) {
                jobs.put(command.id(), order.job());
                tiers.put(order.job(), order.tier());
            }
        }
        if (tiers.size() < 2) {
            return Map.of();
        }
        final Map<JobKey, Answer<Accepted>> answers = wlm.get(Tiering.class).setTiers(tiers);
        final Map<CommandId, Optional<Result>> results = new LinkedHashMap<>();
        jobs.forEach((command, job) -> results.put(
                command,
                ResultMapper.result(Objects.requireNonNull(answers.get(job), "each job of the group has an answer"))));
        return results;
    }

    @Override
    public Result effect(final InterruptedCommand seen) {
        return new Result.Failed(
                "interrupted by a crash; tier " + action.tier() + " can be set again; " + seen.text(action.job()));
    }
}
