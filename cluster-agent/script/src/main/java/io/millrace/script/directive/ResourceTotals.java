package io.millrace.script.directive;

import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.JobSetting.Per;
import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
import io.millrace.script.directive.ParsedScript.SettingOf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Adds up what a script requests, as its own workload manager would. */
final class ResourceTotals {

    private final List<ScriptOption> options;
    private final List<String> remarks = new ArrayList<>();

    ResourceTotals(final List<ScriptOption> options) {
        this.options = options;
    }

    ScriptRequest asked() {
        final TaskLayout layout = layout();
        final boolean specified = specifiesCores();
        final @Nullable Integer nodes = layout.nodes() > 0 ? Integer.valueOf(layout.nodes()) : null;
        final Optional<SettingOf<JobSetting.Walltime>> walltime = ParsedScript.last(options, JobSetting.Walltime.class);
        return new ScriptRequest(
                ParsedScript.last(options, JobSetting.Name.class)
                        .map(s -> s.setting().name())
                        .orElse(null),
                specified ? cores(layout) : null,
                nodes,
                memory(layout),
                gpus(layout),
                walltime.map(s -> s.setting().limit()).orElse(null),
                walltime.isPresent() && walltime.get().setting().limit() == null,
                partition(),
                project(),
                environment(),
                array(),
                layout,
                remarks);
    }

    private boolean specifiesCores() {
        return options.stream()
                .anyMatch(option -> option.setting() instanceof JobSetting.Cores
                        || option.setting() instanceof JobSetting.Chunks
                        || option.setting() instanceof JobSetting.CoresPerTask
                        || option.setting() instanceof JobSetting.TasksPerNode
                        || option.setting() instanceof JobSetting.Nodes);
    }

    private int cores(final TaskLayout layout) {
        final Optional<SettingOf<JobSetting.Chunks>> chunks = ParsedScript.last(options, JobSetting.Chunks.class);
        final long cores = chunks.isPresent()
                ? chunks.get().setting().chunks().stream()
                        .mapToLong(chunk -> (long) chunk.count() * chunk.cores())
                        .sum()
                : (long) layout.tasks() * layout.coresPerTask();
        return (int) Math.min(cores, 1_000_000_000L);
    }

    TaskLayout layout() {
        final boolean exclusive = ParsedScript.last(options, JobSetting.Exclusive.class)
                .map(specified -> specified.setting().exclusive())
                .orElse(false);
        final Optional<SettingOf<JobSetting.Chunks>> chunks = ParsedScript.last(options, JobSetting.Chunks.class);
        return chunks.isPresent() ? ofChunks(chunks.get().setting(), exclusive) : ofTasks(exclusive);
    }

    private TaskLayout ofTasks(final boolean exclusive) {
        final int perTask = last(JobSetting.CoresPerTask.class, w -> ((JobSetting.CoresPerTask) w).count(), 1);
        final int perNode = last(JobSetting.TasksPerNode.class, w -> ((JobSetting.TasksPerNode) w).count(), 0);
        final int tasks = last(JobSetting.Cores.class, w -> ((JobSetting.Cores) w).count(), 0);
        final int specified = last(JobSetting.Nodes.class, w -> ((JobSetting.Nodes) w).count(), 0);
        final int nodes = specified > 0 ? specified : perNode > 0 && tasks > 0 ? Math.ceilDiv(tasks, perNode) : 0;
        final long all = tasks > 0 ? tasks : (long) Math.max(1, nodes) * Math.max(1, perNode);
        return new TaskLayout(
                (int) Math.min(all, 1_000_000_000L), perTask, spread(nodes, nodes), perNode, features(), exclusive);
    }

    private TaskLayout ofChunks(final JobSetting.Chunks wish, final boolean exclusive) {
        final List<JobSetting.Chunk> chunks = wish.chunks();
        final int count = (int)
                Math.min(chunks.stream().mapToLong(JobSetting.Chunk::count).sum(), 1_000_000_000L);
        final int nodes = wish.separateNodes() || count == 1 ? count : 0;
        final List<String> features = new ArrayList<>(features());
        chunks.forEach(chunk -> chunk.other().forEach((name, value) -> {
            if (value.isEmpty() || value.equalsIgnoreCase("true")) {
                features.add(name);
            }
        }));
        final JobSetting.Chunk first = chunks.get(0);
        if (chunks.stream().anyMatch(chunk -> chunk.cores() != first.cores() || chunk.tasks() != first.tasks())) {
            final long cores = chunks.stream()
                    .mapToLong(chunk -> (long) chunk.count() * chunk.cores())
                    .sum();
            return new TaskLayout(
                    (int) Math.min(cores, 1_000_000_000L),
                    1,
                    spread(nodes, count),
                    0,
                    features.stream().distinct().toList(),
                    exclusive);
        }
        // Torque starts a process for each core. A chunk of PBS Pro has one process unless mpiprocs sets more.
        final int specified = first.tasks() > 0 ? first.tasks() : wish.separateNodes() ? first.cores() : 1;
        final int perChunk = first.cores() % specified == 0 ? specified : 1;
        return new TaskLayout(
                (int) Math.min((long) count * perChunk, 1_000_000_000L),
                first.cores() / perChunk,
                spread(nodes, count),
                wish.separateNodes() || perChunk > 1 ? perChunk : 0,
                features.stream().distinct().toList(),
                exclusive);
    }

    private int spread(final int nodes, final int apart) {
        return ParsedScript.last(options, JobSetting.Spread.class)
                .map(specified -> specified.setting().separateNodes() ? Math.max(apart, 1) : 1)
                .orElse(nodes);
    }

    private int last(
            final Class<? extends JobSetting> kind, final ToIntFunction<JobSetting> amount, final int otherwise) {
        return ParsedScript.last(options, kind)
                .map(specified -> amount.applyAsInt(specified.setting()))
                .orElse(otherwise);
    }

    private List<String> features() {
        return options.stream()
                .map(ScriptOption::setting)
                .filter(JobSetting.Feature.class::isInstance)
                .map(wish -> ((JobSetting.Feature) wish).constraint())
                .toList();
    }

    private @Nullable Long memory(final TaskLayout layout) {
        final Optional<SettingOf<JobSetting.Chunks>> chunks = ParsedScript.last(options, JobSetting.Chunks.class);
        final long chunkTotal = chunks.map(specified -> specified.setting().chunks().stream()
                        .mapToLong(chunk -> chunk.count() * chunk.memoryMib())
                        .sum())
                .orElse(0L);
        if (chunkTotal > 0) {
            return chunkTotal;
        }
        // A reservation (rusage) is what the job needs; -M of LSF is only a limit.
        final Optional<SettingOf<JobSetting.Memory>> last = options.stream()
                .filter(option -> option.setting() instanceof JobSetting.Memory)
                .filter(option -> !option.text().startsWith("-M") || reservations() == 0)
                .map(option -> new SettingOf<>(option, (JobSetting.Memory) option.setting()))
                .reduce((first, second) -> second);
        return last.map(specified ->
                        total(specified.setting().mib(), specified.setting().per(), layout, specified.option()))
                .orElse(null);
    }

    private long reservations() {
        return options.stream()
                .filter(option -> option.setting() instanceof JobSetting.Memory
                        && !option.text().startsWith("-M"))
                .count();
    }

    private @Nullable Integer gpus(final TaskLayout layout) {
        final Optional<SettingOf<JobSetting.Chunks>> chunks = ParsedScript.last(options, JobSetting.Chunks.class);
        final long chunkTotal = chunks.map(specified -> specified.setting().chunks().stream()
                        .mapToLong(chunk -> (long) chunk.count() * chunk.gpus())
                        .sum())
                .orElse(0L);
        if (chunkTotal > 0) {
            return (int) Math.min(chunkTotal, 1_000_000_000L);
        }
        return ParsedScript.last(options, JobSetting.Gpus.class)
                .map(specified -> (int) Math.min(
                        total(specified.setting().count(), specified.setting().per(), layout, specified.option()),
                        1_000_000_000L))
                .orElse(null);
    }

    private long total(final long amount, final Per per, final TaskLayout layout, final ScriptOption option) {
        return switch (per) {
            case JOB -> amount;
            case NODE -> {
                if (layout.nodes() == 0 && layout.tasks() > 1) {
                    remarks.add(
                            option.where() + ": counted once, because the script does not specify the number of nodes");
                }
                yield amount * Math.max(1, layout.nodes());
            }
            case TASK -> amount * layout.tasks();
            case CORE -> amount * layout.tasks() * layout.coresPerTask();
        };
    }

    private @Nullable String partition() {
        final Optional<SettingOf<JobSetting.Partition>> specified =
                ParsedScript.last(options, JobSetting.Partition.class);
        if (specified.isEmpty()) {
            return null;
        }
        final List<String> names = specified.get().setting().names();
        if (names.size() > 1) {
            remarks.add(
                    specified.get().option().where() + ": several partitions; the first one is used, " + names.get(0));
        }
        return names.get(0);
    }

    /** PBS Pro has both a project and an accounting string; the project is used. */
    private @Nullable String project() {
        return options.stream()
                .filter(option -> option.setting() instanceof JobSetting.Project)
                .reduce((first, second) ->
                        first.dialect() == Dialect.PBS && first.text().startsWith("-P") ? first : second)
                .map(option -> ((JobSetting.Project) option.setting()).name())
                .orElse(null);
    }

    private Map<String, String> environment() {
        final Map<String, String> all = new LinkedHashMap<>();
        options.forEach(option -> {
            if (option.setting() instanceof JobSetting.Environment environment) {
                all.putAll(environment.set());
            }
        });
        return all;
    }

    private @Nullable ScriptOption array() {
        return ParsedScript.last(options, JobSetting.Array.class)
                .map(SettingOf::option)
                .orElse(null);
    }
}
