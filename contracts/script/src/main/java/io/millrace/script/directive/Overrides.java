package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.directive.ReadOptions.Named;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/** What remains of the options of a script beside those of the command line. These replace all that set the same, in any dialect. */
final class Overrides {

    private static final Set<Class<? extends JobSetting>> SIZE = Set.of(
            JobSetting.Cores.class,
            JobSetting.Nodes.class,
            JobSetting.TasksPerNode.class,
            JobSetting.CoresPerTask.class,
            JobSetting.TasksPerGpu.class,
            JobSetting.CoresPerGpu.class);

    private final List<Named> commandLine;
    private final List<ScriptOption> remaining = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();

    Overrides(final List<Named> script, final List<Named> commandLine) {
        this.commandLine = commandLine;
        script.forEach(this::add);
    }

    List<ScriptOption> remaining() {
        return remaining;
    }

    List<String> remarks() {
        return remarks;
    }

    private void add(final Named of) {
        final Optional<ScriptOption> other = commandLine.stream()
                .filter(option ->
                        option.isNamedAs(of) || replaces(option.option().setting(), of.setting()))
                .map(Named::option)
                .findFirst();
        if (other.isEmpty()) {
            remaining.add(of.option());
            return;
        }
        if (!other.get().setting().equals(of.setting())) {
            remarks.add(of.option().where() + ": replaced by " + other.get().where());
        }
        if (of.setting() instanceof JobSetting.Chunks chunks) {
            rest(chunks).forEach(setting -> remaining.add(of.option().with(setting)));
        }
    }

    private static boolean replaces(final JobSetting other, final JobSetting inScript) {
        return switch (inScript) {
            case JobSetting.Chunks chunks ->
                SIZE.contains(other.getClass())
                        || other instanceof JobSetting.Memory && total(chunks, JobSetting.Chunk::memoryMib) > 0
                        || other instanceof JobSetting.Gpus && total(chunks, JobSetting.Chunk::gpus) > 0
                        || other instanceof JobSetting.Feature
                                && !features(chunks).isEmpty();
            case JobSetting.Spread spread -> other instanceof JobSetting.Nodes;
            // Events and addresses of mail are separate options, as are nodes that the job must or must not use.
            case JobSetting.Mail mail ->
                other instanceof JobSetting.Mail to
                        && mail.on().isEmpty() == to.on().isEmpty();
            case JobSetting.Hosts hosts -> other instanceof JobSetting.Hosts on && hosts.allowed() == on.allowed();
            case JobSetting.SystemSpecific specific -> false;
            case JobSetting.Ignored ignored -> false;
            case JobSetting.Unsupported unsupported -> false;
            default -> other.getClass() == inScript.getClass();
        };
    }

    /** What chunks request beside what the command line replaces. A size of the command line is that of the whole job. */
    private List<JobSetting> rest(final JobSetting.Chunks chunks) {
        final boolean memory = has(JobSetting.Memory.class);
        final boolean gpus = has(JobSetting.Gpus.class);
        final boolean features = has(JobSetting.Feature.class);
        if (SIZE.stream().noneMatch(this::has)) {
            return List.of(new JobSetting.Chunks(
                    chunks.chunks().stream()
                            .map(chunk -> new JobSetting.Chunk(
                                    chunk.count(),
                                    chunk.cores(),
                                    chunk.tasks(),
                                    memory ? 0 : chunk.memoryMib(),
                                    gpus ? 0 : chunk.gpus(),
                                    features ? Map.of() : chunk.other()))
                            .toList(),
                    chunks.separateNodes()));
        }
        final List<JobSetting> rest = new ArrayList<>();
        final long memoryMib = total(chunks, JobSetting.Chunk::memoryMib);
        if (!memory && memoryMib > 0) {
            rest.add(new JobSetting.Memory(memoryMib, JobSetting.Per.JOB));
        }
        final long gpuCount = total(chunks, JobSetting.Chunk::gpus);
        if (!gpus && gpuCount > 0) {
            rest.add(new JobSetting.Gpus((int) Math.min(gpuCount, Integer.MAX_VALUE), JobSetting.Per.JOB, null));
        }
        if (!features) {
            features(chunks).forEach(feature -> rest.add(new JobSetting.Feature(feature)));
        }
        return rest;
    }

    private boolean has(final Class<? extends JobSetting> kind) {
        return commandLine.stream().anyMatch(option -> kind.isInstance(option.setting()));
    }

    private static long total(final JobSetting.Chunks chunks, final ToLongFunction<JobSetting.Chunk> amount) {
        return chunks.chunks().stream()
                .mapToLong(chunk -> chunk.count() * amount.applyAsLong(chunk))
                .sum();
    }

    private static List<String> features(final JobSetting.Chunks chunks) {
        return chunks.chunks().stream()
                .flatMap(chunk -> chunk.other().entrySet().stream())
                .filter(other -> other.getValue().isEmpty() || other.getValue().equalsIgnoreCase("true"))
                .map(Map.Entry::getKey)
                .distinct()
                .toList();
    }
}
