package io.millrace.agent.slurm;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code scontrol show partition}, one line each; only administrators write what stands there. */
record PartitionQuery(SlurmSite site) implements CommandLine<List<PartitionObserved>> {

    @Override
    public List<String> argv() {
        return List.of("scontrol", "--all", "--oneliner", "show", "partition");
    }

    @Override
    public Map<String, String> environment() {
        return site.queryEnvironment();
    }

    @Override
    public Duration limit() {
        return Duration.ofSeconds(30);
    }

    @Override
    public Answer<List<PartitionObserved>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return SlurmErrors.of("scontrol show partition", result, Answer.Kind.UNREADABLE);
        }
        try {
            final String output = result.outputText();
            if (!output.isEmpty() && !output.endsWith("\n")) {
                throw new IllegalArgumentException("the last line is cut");
            }
            return Answer.ok(output.lines()
                    .filter(line -> !line.isBlank() && !line.equals("No partitions in the system"))
                    .map(this::partition)
                    .toList());
        } catch (final IllegalArgumentException e) {
            return SlurmErrors.unreadable("scontrol show partition", e, result);
        }
    }

    private PartitionObserved partition(final String line) {
        final Map<String, String> words = words(line);
        final String state = required(words, "State");
        final int cores = Quantities.intCount(required(words, "TotalCPUs"));
        return new PartitionObserved(
                site.cluster(),
                NameMapping.partition(required(words, "PartitionName")),
                state.equals("UP"),
                words.getOrDefault("Default", "").equals("YES"),
                cores,
                TimeLimits.read(required(words, "MaxTime")),
                new PartitionLimits(
                        // DOWN starts nothing but takes jobs; DRAIN and INACTIVE take none.
                        state.equals("UP") || state.equals("DOWN"),
                        orNone(words, "MinNodes") == null ? 0 : Quantities.intCount(required(words, "MinNodes")),
                        orNone(words, "MaxNodes"),
                        maxCores(words),
                        TimeLimits.read(words.getOrDefault("DefaultTime", "NONE"))),
                access(words));
    }

    private static Map<String, String> words(final String line) {
        final Map<String, String> words = new HashMap<>();
        for (final String word : line.strip().split("\\s+")) {
            final int equals = word.indexOf('=');
            if (equals > 0) {
                words.put(word.substring(0, equals), word.substring(equals + 1));
            }
        }
        return words;
    }

    private static String required(final Map<String, String> words, final String key) {
        final String value = words.get(key);
        if (value == null) {
            throw new IllegalArgumentException(
                    "a line about " + words.getOrDefault("PartitionName", "no partition") + " says nothing of " + key);
        }
        return value;
    }

    private static @Nullable Integer orNone(final Map<String, String> words, final String key) {
        final String value = words.getOrDefault(key, "UNLIMITED");
        return value.equals("UNLIMITED") || value.equals("INFINITE") || value.equals("N/A")
                ? null
                : (Integer) Quantities.intCount(value);
    }

    /** Slurm limits cores by node; the largest job takes that on as many nodes as it may have. */
    private static @Nullable Integer maxCores(final Map<String, String> words) {
        final Integer perNode = orNone(words, "MaxCPUsPerNode");
        if (perNode == null) {
            return null;
        }
        final int all = Quantities.intCount(words.getOrDefault("TotalNodes", "0"));
        final Integer nodes = orNone(words, "MaxNodes");
        return perNode * (nodes == null ? all : Math.min(nodes, all));
    }

    private static Access access(final Map<String, String> words) {
        return new Access(
                words.getOrDefault("RootOnly", "NO").equals("YES") ? Set.of(UserName.of("root")) : Set.of(),
                names(words, "AllowGroups", Function.identity()),
                names(words, "AllowAccounts", PartitionQuery::project),
                Set.of(),
                Set.of(),
                names(words, "DenyAccounts", PartitionQuery::project),
                qos(words, "AllowQos"),
                qos(words, "DenyQos"));
    }

    private static @Nullable Set<String> qos(final Map<String, String> words, final String key) {
        final Set<String> named = names(words, key, Function.identity());
        return named.isEmpty() ? null : named;
    }

    private static ProjectName project(final String account) {
        final ProjectName project = NameMapping.project(account);
        return project == null ? ProjectName.of("_") : project;
    }

    private static <T> Set<T> names(final Map<String, String> words, final String key, final Function<String, T> name) {
        final String list = words.getOrDefault(key, "ALL");
        return list.equals("ALL") || list.equals("(null)") || list.equals("N/A") || list.isEmpty()
                ? Set.of()
                : Arrays.stream(list.split(",")).map(name).collect(Collectors.toUnmodifiableSet());
    }
}
