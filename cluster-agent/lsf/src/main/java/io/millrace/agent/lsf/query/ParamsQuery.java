package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.util.List;

/** {@code bparams -l}: the cluster settings that decide which capabilities are offered. */
public record ParamsQuery(LsfSite site) implements LsfQuery<ParamsQuery.Params> {

    /**
     * @param defaultQueues the queues for jobs without a queue; the first suitable one is used
     * @param requeuesVictims whether a preempted job is requeued instead of suspended (PREEMPT_SLOT_SUSPEND = no of OpenLava)
     */
    public record Params(List<String> defaultQueues, boolean requeuesVictims) {}

    @Override
    public List<String> argv() {
        return List.of(site.program("bparams"), "-l");
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
                value(result, "PREEMPT_SLOT_SUSPEND").equalsIgnoreCase("no")));
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
