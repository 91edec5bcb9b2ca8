package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code bhosts -gpu} of LSF 10.1: one line for each GPU; only the first line of a host has its name. */
public record GpuQuery(LsfSite site) implements LsfQuery<Map<String, GpuQuery.Gpus>> {

    /** GPUs of a host, and how many of them are used by a job. */
    public record Gpus(int total, int used) {}

    @Override
    public List<String> argv() {
        return List.of(site.program("bhosts"), "-w", "-gpu");
    }

    @Override
    public Answer<Map<String, Gpus>> read(final CommandResult result) {
        final Map<String, Gpus> gpus = new HashMap<>();
        if (!result.succeeded()) {
            // bhosts fails without GPUs or without the feature. Both mean a host without GPUs.
            return LsfErrors.isDown(result)
                    ? LsfErrors.of("bhosts -gpu", result, Answer.Kind.UNREADABLE)
                    : Answer.ok(gpus);
        }
        String host = "";
        // HOST_NAME ID MODEL MUSED MRSV NJOBS RUN SUSP RSV [VENDOR]
        for (final String line : result.outputText().lines().skip(1).toList()) {
            final String[] cell = line.strip().split("\\s+");
            final boolean named = !line.startsWith(" ") && cell.length > 1;
            if (named) {
                host = cell[0];
            }
            final int first = named ? 1 : 0;
            if (cell.length > first + 4 && cell[first].matches("\\d+")) {
                final boolean taken = cell[first + 4].matches("[1-9]\\d*");
                gpus.merge(
                        host,
                        new Gpus(1, taken ? 1 : 0),
                        (a, b) -> new Gpus(a.total() + b.total(), a.used() + b.used()));
            }
        }
        return Answer.ok(gpus);
    }
}
