package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.OneLine;
import io.millrace.agent.slurm.format.Quantities;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.cluster.LicenceTokens;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code scontrol show licenses}. Tokens that a reservation keeps are not free. */
public record LicenceQuery(SlurmSite site) implements QueryCommand<Map<String, LicenceTokens>> {

    @Override
    public List<String> argv() {
        return List.of("scontrol", "--oneliner", "show", "licenses");
    }

    @Override
    public Answer<Map<String, LicenceTokens>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return SlurmErrors.of("scontrol show licenses", result, Answer.Kind.UNREADABLE);
        }
        try {
            final Map<String, LicenceTokens> licences = new TreeMap<>();
            for (final String line : OneLine.each(result.outputText())) {
                final Map<String, String> settings = OneLine.settings(line);
                final int free = Quantities.intCount(OneLine.required(settings, "Free"))
                        - Quantities.intCount(settings.getOrDefault("Reserved", "0"));
                licences.put(
                        OneLine.required(settings, "LicenseName"),
                        new LicenceTokens(Quantities.intCount(OneLine.required(settings, "Total")), Math.max(0, free)));
            }
            return Answer.ok(licences);
        } catch (final IllegalArgumentException e) {
            return SlurmErrors.unreadable("scontrol show licenses", e, result);
        }
    }
}
