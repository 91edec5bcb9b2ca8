package io.millrace.script;

import io.millrace.script.ReadScript.Said;
import io.millrace.script.Wish.Per;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Adds up what a script asks for, as its own system would. */
final class Counting {

    private final List<Option> options;
    private final List<String> remarks = new ArrayList<>();

    Counting(final List<Option> options) {
        this.options = options;
    }

    Asked asked() {
        final Layout layout = layout();
        final boolean said = saysCores();
        final @Nullable Integer nodes = layout.nodes() > 0 ? Integer.valueOf(layout.nodes()) : null;
        final Optional<Said<Wish.Walltime>> walltime = ReadScript.last(options, Wish.Walltime.class);
        return new Asked(
                ReadScript.last(options, Wish.Name.class)
                        .map(s -> s.wish().name())
                        .orElse(null),
                said ? cores(layout) : null,
                nodes,
                memory(layout),
                gpus(layout),
                walltime.map(s -> s.wish().limit()).orElse(null),
                walltime.isPresent() && walltime.get().wish().limit() == null,
                partition(),
                project(),
                environment(),
                array(),
                layout,
                remarks);
    }

    private boolean saysCores() {
        return options.stream()
                .anyMatch(option -> option.meaning() instanceof Wish.Cores
                        || option.meaning() instanceof Wish.Chunks
                        || option.meaning() instanceof Wish.CoresPerTask
                        || option.meaning() instanceof Wish.TasksPerNode
                        || option.meaning() instanceof Wish.Nodes);
    }

    private int cores(final Layout layout) {
        final Optional<Said<Wish.Chunks>> chunks = ReadScript.last(options, Wish.Chunks.class);
        final long cores = chunks.isPresent()
                ? chunks.get().wish().chunks().stream()
                        .mapToLong(chunk -> (long) chunk.count() * chunk.cores())
                        .sum()
                : (long) layout.tasks() * layout.coresPerTask();
        return (int) Math.min(cores, 1_000_000_000L);
    }

    Layout layout() {
        final boolean exclusive = ReadScript.last(options, Wish.Exclusive.class)
                .map(said -> said.wish().yes())
                .orElse(false);
        final Optional<Said<Wish.Chunks>> chunks = ReadScript.last(options, Wish.Chunks.class);
        return chunks.isPresent() ? ofChunks(chunks.get().wish(), exclusive) : ofTasks(exclusive);
    }

    private Layout ofTasks(final boolean exclusive) {
        final int perTask = last(Wish.CoresPerTask.class, w -> ((Wish.CoresPerTask) w).count(), 1);
        final int perNode = last(Wish.TasksPerNode.class, w -> ((Wish.TasksPerNode) w).count(), 0);
        final int tasks = last(Wish.Cores.class, w -> ((Wish.Cores) w).count(), 0);
        final int said = last(Wish.Nodes.class, w -> ((Wish.Nodes) w).count(), 0);
        final int nodes = said > 0 ? said : perNode > 0 && tasks > 0 ? Math.ceilDiv(tasks, perNode) : 0;
        final long all = tasks > 0 ? tasks : (long) Math.max(1, nodes) * Math.max(1, perNode);
        return new Layout(
                (int) Math.min(all, 1_000_000_000L), perTask, spread(nodes, nodes), perNode, features(), exclusive);
    }

    private Layout ofChunks(final Wish.Chunks wish, final boolean exclusive) {
        final List<Wish.Chunk> chunks = wish.chunks();
        final int count =
                (int) Math.min(chunks.stream().mapToLong(Wish.Chunk::count).sum(), 1_000_000_000L);
        final int nodes = wish.apart() || count == 1 ? count : 0;
        final List<String> features = new ArrayList<>(features());
        chunks.forEach(chunk -> chunk.other().forEach((name, value) -> {
            if (value.isEmpty() || value.equalsIgnoreCase("true")) {
                features.add(name);
            }
        }));
        final Wish.Chunk first = chunks.get(0);
        if (chunks.stream().anyMatch(chunk -> chunk.cores() != first.cores() || chunk.tasks() != first.tasks())) {
            final long cores = chunks.stream()
                    .mapToLong(chunk -> (long) chunk.count() * chunk.cores())
                    .sum();
            return new Layout(
                    (int) Math.min(cores, 1_000_000_000L),
                    1,
                    spread(nodes, count),
                    0,
                    features.stream().distinct().toList(),
                    exclusive);
        }
        // The classic line counts a process a core; a chunk of PBS Pro is one process unless mpiprocs says more.
        final int said = first.tasks() > 0 ? first.tasks() : wish.apart() ? first.cores() : 1;
        final int perChunk = first.cores() % said == 0 ? said : 1;
        return new Layout(
                (int) Math.min((long) count * perChunk, 1_000_000_000L),
                first.cores() / perChunk,
                spread(nodes, count),
                wish.apart() || perChunk > 1 ? perChunk : 0,
                features.stream().distinct().toList(),
                exclusive);
    }

    private int spread(final int nodes, final int apart) {
        return ReadScript.last(options, Wish.Spread.class)
                .map(said -> said.wish().apart() ? Math.max(apart, 1) : 1)
                .orElse(nodes);
    }

    private int last(final Class<? extends Wish> kind, final ToIntFunction<Wish> figure, final int otherwise) {
        return ReadScript.last(options, kind)
                .map(said -> figure.applyAsInt(said.wish()))
                .orElse(otherwise);
    }

    private List<String> features() {
        return options.stream()
                .map(Option::meaning)
                .filter(Wish.Feature.class::isInstance)
                .map(wish -> ((Wish.Feature) wish).constraint())
                .toList();
    }

    private @Nullable Long memory(final Layout layout) {
        final Optional<Said<Wish.Chunks>> chunks = ReadScript.last(options, Wish.Chunks.class);
        final long inChunks = chunks.map(said -> said.wish().chunks().stream()
                        .mapToLong(chunk -> chunk.count() * chunk.memory_mib())
                        .sum())
                .orElse(0L);
        if (inChunks > 0) {
            return inChunks;
        }
        // A reservation (rusage) says what is needed, LSF's -M only where the job is ended.
        final Optional<Said<Wish.Memory>> last = options.stream()
                .filter(option -> option.meaning() instanceof Wish.Memory)
                .filter(option -> !option.text().startsWith("-M") || reservations() == 0)
                .map(option -> new Said<>(option, (Wish.Memory) option.meaning()))
                .reduce((first, second) -> second);
        return last.map(said -> total(said.wish().mib(), said.wish().per(), layout, said.option()))
                .orElse(null);
    }

    private long reservations() {
        return options.stream()
                .filter(option -> option.meaning() instanceof Wish.Memory
                        && !option.text().startsWith("-M"))
                .count();
    }

    private @Nullable Integer gpus(final Layout layout) {
        final Optional<Said<Wish.Chunks>> chunks = ReadScript.last(options, Wish.Chunks.class);
        final long inChunks = chunks.map(said -> said.wish().chunks().stream()
                        .mapToLong(chunk -> (long) chunk.count() * chunk.gpus())
                        .sum())
                .orElse(0L);
        if (inChunks > 0) {
            return (int) Math.min(inChunks, 1_000_000_000L);
        }
        return ReadScript.last(options, Wish.Gpus.class)
                .map(said -> (int)
                        Math.min(total(said.wish().count(), said.wish().per(), layout, said.option()), 1_000_000_000L))
                .orElse(null);
    }

    private long total(final long figure, final Per per, final Layout layout, final Option option) {
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
        final Optional<Said<Wish.Partition>> said = ReadScript.last(options, Wish.Partition.class);
        if (said.isEmpty()) {
            return null;
        }
        final List<String> names = said.get().wish().names();
        if (names.size() > 1) {
            remarks.add(said.get().option().where() + ": of several, the first is taken, " + names.get(0));
        }
        return names.get(0);
    }

    /** PBS Pro has a project beside the accounting string; the project counts. */
    private @Nullable String project() {
        return options.stream()
                .filter(option -> option.meaning() instanceof Wish.Project)
                .reduce((first, second) ->
                        first.dialect() == Dialect.PBS && first.text().startsWith("-P") ? first : second)
                .map(option -> ((Wish.Project) option.meaning()).name())
                .orElse(null);
    }

    private Map<String, String> environment() {
        final Map<String, String> all = new LinkedHashMap<>();
        options.forEach(option -> {
            if (option.meaning() instanceof Wish.Environment environment) {
                all.putAll(environment.set());
            }
        });
        return all;
    }

    private @Nullable Option array() {
        return ReadScript.last(options, Wish.Array.class).map(Said::option).orElse(null);
    }
}
