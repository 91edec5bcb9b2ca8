package io.millrace.agent.slurm.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.command.QueryCommand;
import io.millrace.agent.slurm.command.SlurmErrors;
import io.millrace.agent.slurm.command.SlurmSite;
import io.millrace.agent.slurm.format.OneLine;
import io.millrace.agent.slurm.format.Quantities;
import io.millrace.agent.slurm.format.TimeLimits;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code scontrol show partition}, one line per partition. Only administrators write these values, so they need no delimiter. */
public record PartitionQuery(SlurmSite site) implements QueryCommand<List<PartitionObserved>> {

    @Override
    public List<String> argv() {
        return List.of("scontrol", "--all", "--oneliner", "show", "partition");
    }

    @Override
    public Answer<List<PartitionObserved>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return SlurmErrors.of("scontrol show partition", result, Answer.Kind.UNREADABLE);
        }
        try {
            return Answer.ok(OneLine.each(result.outputText()).stream()
                    .map(this::partition)
                    .toList());
        } catch (final IllegalArgumentException e) {
            return SlurmErrors.unreadable("scontrol show partition", e, result);
        }
    }

    private PartitionObserved partition(final String line) {
        final Map<String, String> settings = OneLine.settings(line);
        final String state = required(settings, "State");
        final int cores = Quantities.intCount(required(settings, "TotalCPUs"));
        return new PartitionObserved(
                site.cluster(),
                NameMapping.partition(required(settings, "PartitionName")),
                state.equals("UP"),
                settings.getOrDefault("Default", "").equals("YES"),
                cores,
                TimeLimits.read(required(settings, "MaxTime")),
                new PartitionLimits(
                        // DOWN accepts jobs but starts none; DRAIN and INACTIVE accept none.
                        state.equals("UP") || state.equals("DOWN"),
                        limit(settings, "MinNodes") == null ? 0 : Quantities.intCount(required(settings, "MinNodes")),
                        limit(settings, "MaxNodes"),
                        maxCores(settings),
                        TimeLimits.read(settings.getOrDefault("DefaultTime", "NONE"))),
                access(settings));
    }

    private static String required(final Map<String, String> settings, final String key) {
        final String value = settings.get(key);
        if (value == null) {
            throw new IllegalArgumentException(
                    "the line of partition " + settings.getOrDefault("PartitionName", "(no name)") + " lacks " + key);
        }
        return value;
    }

    private static @Nullable Integer limit(final Map<String, String> settings, final String key) {
        final String value = settings.getOrDefault(key, "UNLIMITED");
        return value.equals("UNLIMITED") || value.equals("INFINITE") || value.equals("N/A")
                ? null
                : (Integer) Quantities.intCount(value);
    }

    /** The largest job in cores: MaxCPUsPerNode on as many nodes as a job may have. */
    private static @Nullable Integer maxCores(final Map<String, String> settings) {
        final Integer perNode = limit(settings, "MaxCPUsPerNode");
        if (perNode == null) {
            return null;
        }
        final int all = Quantities.intCount(settings.getOrDefault("TotalNodes", "0"));
        final Integer nodes = limit(settings, "MaxNodes");
        return perNode * (nodes == null ? all : Math.min(nodes, all));
    }

    private static Access access(final Map<String, String> settings) {
        return new Access(
                settings.getOrDefault("RootOnly", "NO").equals("YES") ? Set.of(UserName.of("root")) : Set.of(),
                names(settings, "AllowGroups", Function.identity()),
                names(settings, "AllowAccounts", PartitionQuery::project),
                Set.of(),
                Set.of(),
                names(settings, "DenyAccounts", PartitionQuery::project),
                qos(settings, "AllowQos"),
                qos(settings, "DenyQos"));
    }

    private static @Nullable Set<String> qos(final Map<String, String> settings, final String key) {
        final Set<String> named = names(settings, key, Function.identity());
        return named.isEmpty() ? null : named;
    }

    private static ProjectName project(final String account) {
        final ProjectName project = NameMapping.project(account);
        return project == null ? ProjectName.of("_") : project;
    }

    private static <T> Set<T> names(
            final Map<String, String> settings, final String key, final Function<String, T> name) {
        final String list = settings.getOrDefault(key, "ALL");
        return list.equals("ALL") || list.equals("(null)") || list.equals("N/A") || list.isEmpty()
                ? Set.of()
                : Arrays.stream(list.split(",")).map(name).collect(Collectors.toUnmodifiableSet());
    }
}
