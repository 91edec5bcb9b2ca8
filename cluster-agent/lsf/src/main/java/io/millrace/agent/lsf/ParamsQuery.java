package io.millrace.agent.lsf;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandResult;
import java.util.List;

/** {@code bparams -l}: settings of the whole cluster that decide what can be promised. */
record ParamsQuery(LsfSite site) implements LsfQuery<ParamsQuery.Params> {

    /**
     * @param defaultQueues where jobs without a queue go, the first that fits
     * @param requeuesVictims whether a preempted job is put back instead of being suspended (the work-alike's PREEMPT_SLOT_SUSPEND = no)
     */
    record Params(List<String> defaultQueues, boolean requeuesVictims) {}

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
