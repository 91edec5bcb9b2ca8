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
import java.util.Objects;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Adds up what a script requests, as its own workload manager would. */
final class ResourceTotals {

    private static final String OMP_THREADS = "ompthreads";
    /** {@code -N 2-4}. */
    private static final Pattern RANGE = Pattern.compile("\\d[kKmM]?-\\d");

    private final List<ScriptOption> options;
    private final boolean memoryPerSlot;
    private final List<String> remarks = new ArrayList<>();

    ResourceTotals(final List<ScriptOption> options, final boolean memoryPerSlot) {
        this.options = options;
        this.memoryPerSlot = memoryPerSlot;
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
                specified ? layout.cores() : null,
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
                        || option.setting() instanceof JobSetting.TasksPerGpu
                        || option.setting() instanceof JobSetting.CoresPerGpu
                        || option.setting() instanceof JobSetting.TasksPerNode
                        || option.setting() instanceof JobSetting.Nodes);
    }

    private TaskLayout layout() {
        final boolean exclusive = ParsedScript.last(options, JobSetting.Exclusive.class)
                .map(specified -> specified.setting().exclusive())
                .orElse(false);
        final TaskLayout divided = ParsedScript.last(options, JobSetting.Chunks.class)
                .map(chunks -> ofChunks(chunks.setting()))
                .orElseGet(this::ofTasks);
        return new TaskLayout(
                divided.parts().stream().map(part -> amounts(part, divided)).toList(),
                divided.nodes(),
                divided.tasksPerNode(),
                threads(divided),
                features(),
                exclusive);
    }

    private TaskLayout ofTasks() {
        final int perNode = last(JobSetting.TasksPerNode.class, w -> ((JobSetting.TasksPerNode) w).count(), 0);
        final int specified = last(JobSetting.Nodes.class, w -> ((JobSetting.Nodes) w).count(), 0);
        final long ofGpus = tasksPerGpu() * (long) gpus(specified, 0);
        final int total = last(
                JobSetting.Cores.class, w -> ((JobSetting.Cores) w).count(), (int) Math.min(TaskLayout.MOST, ofGpus));
        noteRange();
        // Without a total, LSF starts one process, and Slurm the processes of a node on each node.
        final boolean ofNodes = total == 0 && !isOfLsf();
        final int tasks = ofNodes
                ? (int) Math.min(TaskLayout.MOST, (long) Math.max(1, specified) * Math.max(1, perNode))
                : Math.max(1, total);
        final int perTask = coresPerTask(tasks, gpus(specified, tasks));
        final int filled = perNode == 0 ? 0 : Math.ceilDiv(tasks, perNode);
        final int nodes = spread(specified > 0 ? specified : filled);
        return nodes == filled && isOfLsf() && perNode > 0
                ? TaskLayout.filled(tasks, perTask, perNode)
                : TaskLayout.even(tasks, perTask, nodes).withTasksPerNode(perNode);
    }

    private int tasksPerGpu() {
        return last(JobSetting.TasksPerGpu.class, w -> ((JobSetting.TasksPerGpu) w).count(), 0);
    }

    /** The GPUs of a job with this many nodes and tasks. */
    private int gpus(final int nodes, final int tasks) {
        final long gpus = ParsedScript.last(options, JobSetting.Gpus.class)
                .map(of -> switch (of.setting().per()) {
                    case NODE -> (long) of.setting().count() * Math.max(1, nodes);
                    case TASK -> (long) of.setting().count() * tasks;
                    default -> (long) of.setting().count();
                })
                .orElse(tasksPerGpu() == 0 ? 0L : Math.ceilDiv(tasks, tasksPerGpu()));
        return (int) Math.min(TaskLayout.MOST, gpus);
    }

    private int coresPerTask(final int tasks, final int gpus) {
        final int perGpu = last(JobSetting.CoresPerGpu.class, w -> ((JobSetting.CoresPerGpu) w).count(), 0);
        return last(JobSetting.CoresPerTask.class, w -> ((JobSetting.CoresPerTask) w).count(), (int)
                Math.clamp(Math.ceilDiv((long) perGpu * gpus, tasks), 1, TaskLayout.MOST));
    }

    /** Whether the size is in the dialect of LSF, beside which the command line can have sizes. */
    private boolean isOfLsf() {
        return options.stream()
                .filter(option -> option.setting() instanceof JobSetting.Nodes
                        || option.setting() instanceof JobSetting.TasksPerNode)
                .allMatch(option -> option.dialect() == Dialect.LSF);
    }

    private int spread(final int nodes) {
        return separate().map(apart -> apart ? Math.max(nodes, 1) : 1).orElse(nodes);
    }

    /** Whether {@code place} of PBS requires a separate node for each chunk, or one node for all. */
    private Optional<Boolean> separate() {
        return ParsedScript.last(options, JobSetting.Spread.class)
                .map(spread -> spread.setting().separateNodes());
    }

    private boolean isOf(final Dialect dialect) {
        return options.stream().anyMatch(option -> option.dialect() == dialect);
    }

    private void noteRange() {
        ParsedScript.last(options, JobSetting.Nodes.class)
                .map(SettingOf::option)
                .filter(option -> RANGE.matcher(option.text()).find())
                .ifPresent(option -> remarks.add(option.where() + ": the job gets the smallest number of nodes"));
    }

    private TaskLayout ofChunks(final JobSetting.Chunks wish) {
        final List<TaskLayout.Part> parts = wish.chunks().stream()
                .map(chunk -> new TaskLayout.Part(
                        chunk.count(), chunk.processes(), chunk.cores(), chunk.memoryMib(), chunk.gpus()))
                .toList();
        final int first = parts.getFirst().tasks();
        final boolean alike = parts.stream().allMatch(part -> part.tasks() == first);
        final TaskLayout anywhere =
                new TaskLayout(parts, 0, alike && (wish.separateNodes() || first > 1) ? first : 0, 0, List.of(), false);
        if (separate().orElse(wish.separateNodes())) {
            return anywhere.onSeparateNodes();
        }
        return separate().isPresent() || anywhere.count() == 1 ? anywhere.onOneNode() : anywhere;
    }

    /** PBS Pro sets {@code OMP_NUM_THREADS}: for a select, and for {@code ncpus}. Torque, with its nodes, does not. */
    private int threads(final TaskLayout layout) {
        final Optional<JobSetting.Chunks> chunks =
                ParsedScript.last(options, JobSetting.Chunks.class).map(SettingOf::setting);
        final Optional<JobSetting.Chunk> first =
                chunks.map(specified -> specified.chunks().getFirst());
        final boolean set = isOf(Dialect.PBS)
                && chunks.map(specified -> !specified.separateNodes())
                        .orElse(ParsedScript.last(options, JobSetting.CoresPerTask.class)
                                .isPresent());
        return first.map(chunk -> chunk.other().get(OMP_THREADS))
                .or(this::jobThreads)
                .filter(text -> text.matches("[1-9]\\d{0,5}"))
                .map(Integer::valueOf)
                .orElseGet(() -> set
                        ? Math.max(
                                1,
                                first.map(chunk -> chunk.cores() / chunk.processes())
                                        .orElse(layout.coresPerTask()))
                        : 0);
    }

    /** {@code -l ompthreads=2}, outside the chunks. */
    private Optional<String> jobThreads() {
        return options.stream()
                .map(ScriptOption::setting)
                .filter(JobSetting.SystemSpecific.class::isInstance)
                .map(own -> ((JobSetting.SystemSpecific) own).options().getLast())
                .filter(resource -> resource.startsWith(OMP_THREADS + "="))
                .map(resource -> resource.substring(OMP_THREADS.length() + 1))
                .reduce((earlier, later) -> later);
    }

    /** A part with the memory and GPUs that the script requests for each chunk, node, process or core. */
    private TaskLayout.Part amounts(final TaskLayout.Part part, final TaskLayout layout) {
        final long gpus = part.gpus() > 0 || chunkTotal(JobSetting.Chunk::gpus) > 0
                ? part.gpus()
                : ParsedScript.last(options, JobSetting.Gpus.class)
                        .map(of -> each(of.setting().count(), of.setting().per(), part, layout))
                        .orElse(0L);
        final TaskLayout.Part withGpus = new TaskLayout.Part(
                part.count(), part.tasks(), part.cores(), part.memoryMib(), (int) Math.min(gpus, TaskLayout.MOST));
        final long memory = part.memoryMib() > 0 || chunkTotal(JobSetting.Chunk::memoryMib) > 0
                ? part.memoryMib()
                : memorySetting()
                        .map(of -> each(of.setting().mib(), of.setting().per(), withGpus, layout))
                        .orElse(0L);
        return new TaskLayout.Part(part.count(), part.tasks(), part.cores(), memory, withGpus.gpus());
    }

    /** 0 if the amount is divided among the parts. */
    private long each(final long amount, final Per per, final TaskLayout.Part part, final TaskLayout layout) {
        return switch (known(per)) {
            case JOB -> 0;
            case NODE -> layout.nodes() > 0 || layout.count() == 1 ? amount : 0;
            case TASK, HOST_OR_SLOT -> amount * part.tasks();
            case CORE -> amount * part.cores();
            case GPU -> amount * part.gpus();
        };
    }

    private Per known(final Per per) {
        return per != Per.HOST_OR_SLOT ? per : memoryPerSlot ? Per.TASK : Per.NODE;
    }

    private long chunkTotal(final ToLongFunction<JobSetting.Chunk> amount) {
        return ParsedScript.last(options, JobSetting.Chunks.class).stream()
                .flatMap(specified -> specified.setting().chunks().stream())
                .mapToLong(chunk -> chunk.count() * amount.applyAsLong(chunk))
                .sum();
    }

    private int last(
            final Class<? extends JobSetting> kind, final ToIntFunction<JobSetting> amount, final int otherwise) {
        return ParsedScript.last(options, kind)
                .map(specified -> amount.applyAsInt(specified.setting()))
                .orElse(otherwise);
    }

    private List<String> features() {
        final Stream<String> ofNodes = options.stream()
                .map(ScriptOption::setting)
                .filter(JobSetting.Feature.class::isInstance)
                .map(wish -> ((JobSetting.Feature) wish).constraint());
        final Stream<String> ofChunks = ParsedScript.last(options, JobSetting.Chunks.class).stream()
                .flatMap(specified -> specified.setting().chunks().stream())
                .flatMap(chunk -> chunk.other().entrySet().stream())
                .filter(other -> other.getValue().isEmpty() || other.getValue().equalsIgnoreCase("true"))
                .map(Map.Entry::getKey);
        return Stream.concat(ofNodes, ofChunks).distinct().toList();
    }

    private @Nullable Long memory(final TaskLayout layout) {
        final long chunks = chunkTotal(JobSetting.Chunk::memoryMib);
        if (chunks > 0) {
            return chunks;
        }
        return memorySetting()
                .map(specified ->
                        total(specified.setting().mib(), specified.setting().per(), layout, specified.option()))
                .orElse(null);
    }

    /** A reservation ({@code rusage}) is what the job needs; {@code -M} of LSF is only a limit. */
    private Optional<SettingOf<JobSetting.Memory>> memorySetting() {
        final List<ScriptOption> all = options.stream()
                .filter(option -> option.setting() instanceof JobSetting.Memory)
                .toList();
        final boolean reserved = all.stream().anyMatch(option -> !isLimit(option));
        return ParsedScript.last(
                all.stream().filter(option -> !reserved || !isLimit(option)).toList(), JobSetting.Memory.class);
    }

    private static boolean isLimit(final ScriptOption option) {
        return option.text().startsWith("-M");
    }

    private @Nullable Integer gpus(final TaskLayout layout) {
        final long chunks = chunkTotal(JobSetting.Chunk::gpus);
        if (chunks > 0) {
            return (int) Math.min(chunks, TaskLayout.MOST);
        }
        return ParsedScript.last(options, JobSetting.Gpus.class)
                .map(specified -> (int) Math.min(
                        total(specified.setting().count(), specified.setting().per(), layout, specified.option()),
                        TaskLayout.MOST))
                .orElseGet(() -> tasksPerGpu() == 0 ? null : Math.ceilDiv(layout.tasks(), tasksPerGpu()));
    }

    private long total(final long amount, final Per per, final TaskLayout layout, final ScriptOption option) {
        return switch (known(per)) {
            case JOB -> amount;
            case NODE -> {
                if (layout.nodes() == 0 && layout.tasks() > 1) {
                    remarks.add(
                            option.where() + ": counted once, because the script does not specify the number of nodes");
                }
                yield amount * Math.max(1, layout.nodes());
            }
            case TASK, HOST_OR_SLOT -> amount * layout.tasks();
            case CORE -> amount * layout.cores();
            case GPU -> amount * Objects.requireNonNullElse(gpus(layout), 0);
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
