package io.millrace.script;

import io.millrace.script.ParsedScript.SettingOf;
import io.millrace.script.JobSetting.Per;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Adds up what a script asks for, as its own system would. */
final class ResourceTotals {

    private final List<ScriptOption> options;
    private final List<String> remarks = new ArrayList<>();

    ResourceTotals(final List<ScriptOption> options) {
        this.options = options;
    }

    ScriptRequest asked() {
        final TaskLayout layout = layout();
        final boolean said = saysCores();
        final @Nullable Integer nodes = layout.nodes() > 0 ? Integer.valueOf(layout.nodes()) : null;
        final Optional<SettingOf<JobSetting.Walltime>> walltime = ParsedScript.last(options, JobSetting.Walltime.class);
        return new ScriptRequest(
                ParsedScript.last(options, JobSetting.Name.class)
                        .map(s -> s.setting().name())
                        .orElse(null),
                said ? cores(layout) : null,
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

    private boolean saysCores() {
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
                .map(said -> said.setting().exclusive())
                .orElse(false);
        final Optional<SettingOf<JobSetting.Chunks>> chunks = ParsedScript.last(options, JobSetting.Chunks.class);
        return chunks.isPresent() ? ofChunks(chunks.get().setting(), exclusive) : ofTasks(exclusive);
    }

    private TaskLayout ofTasks(final boolean exclusive) {
        final int perTask = last(JobSetting.CoresPerTask.class, w -> ((JobSetting.CoresPerTask) w).count(), 1);
        final int perNode = last(JobSetting.TasksPerNode.class, w -> ((JobSetting.TasksPerNode) w).count(), 0);
        final int tasks = last(JobSetting.Cores.class, w -> ((JobSetting.Cores) w).count(), 0);
        final int said = last(JobSetting.Nodes.class, w -> ((JobSetting.Nodes) w).count(), 0);
        final int nodes = said > 0 ? said : perNode > 0 && tasks > 0 ? Math.ceilDiv(tasks, perNode) : 0;
        final long all = tasks > 0 ? tasks : (long) Math.max(1, nodes) * Math.max(1, perNode);
        return new TaskLayout(
                (int) Math.min(all, 1_000_000_000L), perTask, spread(nodes, nodes), perNode, features(), exclusive);
    }

    private TaskLayout ofChunks(final JobSetting.Chunks wish, final boolean exclusive) {
        final List<JobSetting.Chunk> chunks = wish.chunks();
        final int count =
                (int) Math.min(chunks.stream().mapToLong(JobSetting.Chunk::count).sum(), 1_000_000_000L);
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
        // The classic line counts a process a core; a chunk of PBS Pro is one process unless mpiprocs says more.
        final int said = first.tasks() > 0 ? first.tasks() : wish.separateNodes() ? first.cores() : 1;
        final int perChunk = first.cores() % said == 0 ? said : 1;
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
                .map(said -> said.setting().separateNodes() ? Math.max(apart, 1) : 1)
                .orElse(nodes);
    }

    private int last(final Class<? extends JobSetting> kind, final ToIntFunction<JobSetting> figure, final int otherwise) {
        return ParsedScript.last(options, kind)
                .map(said -> figure.applyAsInt(said.setting()))
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
        final long inChunks = chunks.map(said -> said.setting().chunks().stream()
                        .mapToLong(chunk -> chunk.count() * chunk.memory_mib())
                        .sum())
                .orElse(0L);
        if (inChunks > 0) {
            return inChunks;
        }
        // A reservation (rusage) says what is needed, LSF's -M only where the job is ended.
        final Optional<SettingOf<JobSetting.Memory>> last = options.stream()
                .filter(option -> option.setting() instanceof JobSetting.Memory)
                .filter(option -> !option.text().startsWith("-M") || reservations() == 0)
                .map(option -> new SettingOf<>(option, (JobSetting.Memory) option.setting()))
                .reduce((first, second) -> second);
        return last.map(said -> total(said.setting().mib(), said.setting().per(), layout, said.option()))
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
        final long inChunks = chunks.map(said -> said.setting().chunks().stream()
                        .mapToLong(chunk -> (long) chunk.count() * chunk.gpus())
                        .sum())
                .orElse(0L);
        if (inChunks > 0) {
            return (int) Math.min(inChunks, 1_000_000_000L);
        }
        return ParsedScript.last(options, JobSetting.Gpus.class)
                .map(said -> (int)
                        Math.min(total(said.setting().count(), said.setting().per(), layout, said.option()), 1_000_000_000L))
                .orElse(null);
    }

    private long total(final long figure, final Per per, final TaskLayout layout, final ScriptOption option) {
        return switch (per) {
            case JOB -> figure;
            case NODE -> {
                if (layout.nodes() == 0 && layout.tasks() > 1) {
                    remarks.add(option.where() + ": counted once, since the script does not say on how many nodes");
                }
                yield figure * Math.max(1, layout.nodes());
            }
            case TASK -> figure * layout.tasks();
            case CORE -> figure * layout.tasks() * layout.coresPerTask();
        };
    }

    private @Nullable String partition() {
        final Optional<SettingOf<JobSetting.Partition>> said = ParsedScript.last(options, JobSetting.Partition.class);
        if (said.isEmpty()) {
            return null;
        }
        final List<String> names = said.get().setting().names();
        if (names.size() > 1) {
            remarks.add(said.get().option().where() + ": of several, the first is taken, " + names.get(0));
        }
        return names.get(0);
    }

    /** PBS Pro has a project beside the accounting string; the project counts. */
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
        return ParsedScript.last(options, JobSetting.Array.class).map(SettingOf::option).orElse(null);
    }
}
