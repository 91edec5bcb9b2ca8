package io.millrace.agent.slurm;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.CommandLine;
import io.millrace.agent.wlm.CommandResult;
import io.millrace.model.PartitionName;
import io.millrace.model.cluster.PartitionObserved;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** {@code scontrol show partition}, one line each; only administrators write what stands there. */
record PartitionQuery(SlurmSite site) implements CommandLine<List<PartitionObserved>> {

    @Override
    public List<String> argv() {
        return List.of("scontrol", "--all", "--oneliner", "show", "partition");
    }

    @Override
    public Map<String, String> environment() {
        return site.asking();
    }

    @Override
    public Answer<List<PartitionObserved>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return Complaint.of("scontrol show partition", result, Answer.Kind.UNREADABLE);
        }
        return Answer.ok(result.outputText()
                .lines()
                .filter(line -> line.startsWith("PartitionName="))
                .map(this::partition)
                .toList());
    }

    private PartitionObserved partition(final String line) {
        final Map<String, String> words = new HashMap<>();
        for (final String word : line.strip().split("\\s+")) {
            final int equals = word.indexOf('=');
            if (equals > 0) {
                words.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return new PartitionObserved(
                site.cluster(),
                PartitionName.of(words.getOrDefault("PartitionName", "")),
                words.getOrDefault("State", "").equals("UP"),
                words.getOrDefault("Default", "").equals("YES"),
                Integer.parseInt(words.getOrDefault("TotalCPUs", "0")),
                Durations.read(words.getOrDefault("MaxTime", "")));
    }
}
