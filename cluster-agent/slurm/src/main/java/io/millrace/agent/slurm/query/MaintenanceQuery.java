package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.NodeList;
import io.millrace.agent.slurm.format.OneLine;
import io.millrace.agent.slurm.format.Timestamps;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.NodeName;
import io.millrace.model.cluster.Maintenance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code scontrol show reservation}: the reservations with the flag MAINT. */
public record MaintenanceQuery(SlurmSite site) implements QueryCommand<List<Maintenance>> {

    @Override
    public List<String> argv() {
        return List.of("scontrol", "--oneliner", "show", "reservation");
    }

    @Override
    public Answer<List<Maintenance>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return SlurmErrors.of("scontrol show reservation", result, Answer.Kind.UNREADABLE);
        }
        try {
            final List<Maintenance> windows = new ArrayList<>();
            for (final String line : OneLine.each(result.outputText())) {
                final Map<String, String> settings = OneLine.settings(line);
                final Set<String> flags =
                        Set.of(OneLine.required(settings, "Flags").split(",+"));
                final Instant from = Timestamps.read(OneLine.required(settings, "StartTime"));
                final Instant until = Timestamps.read(OneLine.required(settings, "EndTime"));
                if (flags.contains("MAINT") && from != null && until != null) {
                    windows.add(new Maintenance(
                            OneLine.required(settings, "ReservationName"), from, until, nodes(settings, flags)));
                }
            }
            windows.sort(Comparator.comparing(Maintenance::from).thenComparing(Maintenance::name));
            return Answer.ok(windows);
        } catch (final IllegalArgumentException e) {
            return SlurmErrors.unreadable("scontrol show reservation", e, result);
        }
    }

    private static List<NodeName> nodes(final Map<String, String> settings, final Set<String> flags) {
        return flags.contains("ALL_NODES")
                ? List.of()
                : NodeList.read(OneLine.required(settings, "Nodes")).stream()
                        .sorted(Comparator.comparing(NodeName::value))
                        .toList();
    }
}
