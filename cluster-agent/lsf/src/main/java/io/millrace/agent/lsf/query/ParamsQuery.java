package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.util.List;

/**
 * {@code bparams}: settings of the cluster that decide which capabilities are offered, and what a request means.
 *
 * @param all {@code -a} instead of {@code -l}: also settings that {@code -l} leaves out; only LSF has it
 */
public record ParamsQuery(LsfSite site, boolean all) implements LsfQuery<ParamsQuery.Params> {

    /**
     * @param defaultQueues the queues for jobs without a queue; the first suitable one is used
     * @param requeuesVictims whether a preempted job is requeued instead of suspended (PREEMPT_SLOT_SUSPEND = no of OpenLava)
     * @param memoryPerSlot whether a reservation of memory counts for each slot instead of each host (RESOURCE_RESERVE_PER_TASK = Y, in
     *     older versions RESOURCE_RESERVE_PER_SLOT)
     */
    public record Params(List<String> defaultQueues, boolean requeuesVictims, boolean memoryPerSlot) {}

    @Override
    public List<String> argv() {
        return List.of(site.program("bparams"), all ? "-a" : "-l");
    }

    @Override
    public Answer<Params> read(final CommandResult result) {
        if (!result.succeeded()) {
            return LsfErrors.of("bparams", result, Answer.Kind.UNREADABLE);
        }
        return Answer.ok(new Params(
                List.of(value(result, "DEFAULT_QUEUE").split("\\s+")).stream()
                        .filter(word -> !word.isEmpty())
                        .toList(),
                value(result, "PREEMPT_SLOT_SUSPEND").equalsIgnoreCase("no"),
                (value(result, "RESOURCE_RESERVE_PER_TASK") + value(result, "RESOURCE_RESERVE_PER_SLOT"))
                        .matches("(?i)y.*")));
    }

    private static String value(final CommandResult result, final String name) {
        return result.outputText()
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith(name + " =") || line.startsWith(name + "="))
                .map(line -> line.substring(line.indexOf('=') + 1).strip())
                .findFirst()
                .orElse("");
    }
}
