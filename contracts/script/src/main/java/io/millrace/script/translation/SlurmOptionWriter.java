package io.millrace.script.translation;

import io.millrace.model.job.JobSpec;
import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
import io.millrace.script.directive.ArrayIndices;
import io.millrace.script.directive.BeginTimes;
import io.millrace.script.directive.Dependencies;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes options of {@code sbatch}. */
final class SlurmOptionWriter extends OptionWriter {

    private @Nullable String gpuType;
    private int gpusPerTask;
    private boolean memoryPerCore;

    @Override
    List<String> resources(
            final JobSpec spec,
            final TaskLayout layout,
            final List<JobSetting.Chunk> ownChunks,
            final TranslationBuilder translation) {
        final TaskLayout.Part part = layout.parts().getFirst();
        final int coresPerTask = layout.coresPerTask();
        final boolean spareCores = coresPerTask == 0 && layout.isUniform() && part.tasks() < part.cores();
        if (isMixed(layout, ownChunks)) {
            translation.refuseSize("the chunks have different sizes, but Slurm gives all nodes of a job the same size");
        } else if (coresPerTask == 0 && !spareCores) {
            translation.refuseSize("Slurm gives each process at least one core, and all processes the same number");
        }
        // Slurm has no processes for spare cores, so it gets one for each core; JobPreamble reduces them to those of
        // the script. --mincpus
        // does not help: newer releases never start a job whose processes do not use these cores.
        final List<String> words =
                new ArrayList<>(List.of("--ntasks=" + (spareCores ? layout.cores() : layout.tasks())));
        if (coresPerTask > 1) {
            words.add("--cpus-per-task=" + coresPerTask);
        }
        // Several processes of a part stay on one node only if each node gets as many.
        final boolean together = spareCores || layout.nodes() == 0 && layout.tasksPerNode() > 0;
        final int nodes = together ? layout.count() : layout.nodes();
        if (nodes > 0) {
            words.add("--nodes=" + nodes);
        }
        final int perNode = spareCores ? part.cores() : layout.tasksPerNode();
        if (spareCores || perNode > 0 && perNode * nodes == layout.tasks()) {
            words.add("--ntasks-per-node=" + perNode);
        } else if (perNode > 0 && nodes > 1) {
            // Seen on Slurm 22.05: it would allocate cores for this number of processes on each node, the last one too.
            translation.remark(
                    "Slurm decides how the " + layout.tasks() + " processes are divided among " + nodes + " nodes");
        }
        if (spec.resources().memoryMib() > 0) {
            words.add(memory(layout, nodes));
        }
        if (spec.resources().gpus() > 0) {
            words.add(gpus(layout, nodes, spareCores));
        }
        if (layout.exclusive()) {
            words.add("--exclusive");
        }
        if (!layout.features().isEmpty()) {
            words.add("--constraint=" + constraint(layout.features()));
        }
        return words;
    }

    /**
     * Memory per node, because Slurm counts memory per core for each hardware thread that it allocates. Only an open number of nodes, or
     * memory per core on nodes with an open number of processes, is memory per core.
     */
    private String memory(final TaskLayout layout, final int nodes) {
        final TaskLayout.Part first = layout.parts().getFirst();
        final boolean sameOnNodes = nodes > 0 && !(memoryPerCore && nodes > 1 && layout.tasksPerNode() == 0);
        if ((sameOnNodes || layout.count() == 1)
                && layout.parts().stream().allMatch(part -> part.memoryMib() == first.memoryMib())) {
            return "--mem=" + first.memoryMib() + "M";
        }
        final long total = layout.parts().stream()
                .mapToLong(part -> part.count() * part.memoryMib())
                .sum();
        return "--mem-per-cpu=" + Math.ceilDiv(total, layout.cores()) + "M";
    }

    private String gpus(final TaskLayout layout, final int nodes, final boolean spareCores) {
        final String type = gpuType == null ? "" : gpuType + ":";
        final int total = layout.parts().stream()
                .mapToInt(part -> part.count() * part.gpus())
                .sum();
        if (!spareCores && gpusPerTask > 0 && gpusPerTask * layout.tasks() == total) {
            return "--gpus-per-task=" + type + gpusPerTask;
        }
        return nodes > 0 && total % nodes == 0 ? "--gpus-per-node=" + type + total / nodes : "--gpus=" + type + total;
    }

    private static String constraint(final List<String> features) {
        return features.size() == 1
                ? features.get(0)
                : features.stream()
                        .map(feature -> isPlain(feature) ? feature : "(" + feature + ")")
                        .collect(Collectors.joining("&"));
    }

    @Override
    void memory(final ScriptOption option, final JobSetting.Memory setting) {
        memoryPerCore = setting.per() == JobSetting.Per.CORE || setting.per() == JobSetting.Per.TASK;
    }

    @Override
    void gpus(final ScriptOption option, final JobSetting.Gpus setting, final TranslationBuilder translation) {
        gpusPerTask = setting.per() == JobSetting.Per.TASK ? setting.count() : 0;
        if (setting.type() == null || setting.type().matches("[\\w.-]+")) {
            gpuType = setting.type();
        } else {
            super.gpus(option, setting, translation);
        }
    }

    @Override
    void feature(final ScriptOption option, final JobSetting.Feature setting, final TranslationBuilder translation) {
        // Slurm constraints can express the features of all dialects.
    }

    @Override
    void exclusive(
            final ScriptOption option, final JobSetting.Exclusive setting, final TranslationBuilder translation) {
        if (!setting.exclusive() && option.dialect() == Dialect.SLURM) {
            translation.add(option, "--oversubscribe");
        }
    }

    @Override
    void array(
            final ScriptOption option,
            final JobSetting.Array setting,
            final String name,
            final TranslationBuilder translation) {
        translation.add(
                option,
                "--array=" + ArrayIndices.write(setting.ranges())
                        + (setting.maxRunning() > 0 ? "%" + setting.maxRunning() : ""));
    }

    @Override
    boolean dependency(
            final ScriptOption option, final JobSetting.Dependency setting, final TranslationBuilder translation) {
        if (setting.after().stream().anyMatch(JobSetting.After::byName)) {
            translation.unsupported(option, "Slurm dependencies require job ids, not names");
            return false;
        }
        if (!Dependencies.hasSlurmIds(setting)) {
            translation.unsupported(option, "invalid job id");
            return false;
        }
        return translation.add(option, "--dependency=" + Dependencies.chain(setting, setting.all() ? "," : "?"));
    }

    @Override
    void mail(final ScriptOption option, final JobSetting.Mail setting, final TranslationBuilder translation) {
        final String types = setting.on().stream()
                .map(on -> switch (on) {
                    case BEGIN -> "BEGIN";
                    case END -> "END";
                    case FAIL -> "FAIL";
                    case REQUEUE -> "REQUEUE";
                    case NONE -> "NONE";
                })
                .collect(Collectors.joining(","));
        if (!types.isEmpty()) {
            translation.add(option, "--mail-type=" + types);
        }
        if (!setting.to().isEmpty()) {
            translation.add(option, "--mail-user=" + setting.to());
        }
    }

    @Override
    void signal(
            final ScriptOption option, final JobSetting.SignalBefore setting, final TranslationBuilder translation) {
        if (setting.signal() == null) {
            translation.unsupported(option, "no signal specified");
            return;
        }
        final Duration before = setting.before() == null ? Duration.ofSeconds(60) : setting.before();
        translation.add(
                option,
                "--signal=" + (setting.shellOnly() ? "B:" : "") + setting.signal() + "@"
                        + Math.min(65535, before.toSeconds()));
    }

    @Override
    void rerunnable(
            final ScriptOption option, final JobSetting.Rerunnable setting, final TranslationBuilder translation) {
        translation.add(option, setting.rerunnable() ? "--requeue" : "--no-requeue");
    }

    @Override
    void licence(final ScriptOption option, final JobSetting.Licence setting, final TranslationBuilder translation) {
        translation.addToList(option, "--licenses", setting.name() + ":" + setting.count());
    }

    @Override
    void begin(final ScriptOption option, final String time, final TranslationBuilder translation) {
        translation.add(option, "--begin=" + time);
    }

    @Override
    @Nullable
    String beginTime(final JobSetting.BeginTime begin) {
        return BeginTimes.forSlurm(begin);
    }

    @Override
    void qualityOfService(
            final ScriptOption option,
            final JobSetting.QualityOfService setting,
            final TranslationBuilder translation) {
        translation.add(option, "--qos=" + setting.name());
    }

    @Override
    void reservation(
            final ScriptOption option, final JobSetting.Reservation setting, final TranslationBuilder translation) {
        translation.add(option, "--reservation=" + setting.name());
    }

    @Override
    void hosts(final ScriptOption option, final JobSetting.Hosts setting, final TranslationBuilder translation) {
        if (option.dialect() == Dialect.SLURM) {
            translation.addToList(
                    option, setting.allowed() ? "--nodelist" : "--exclude", String.join(",", setting.names()));
        } else {
            super.hosts(option, setting, translation);
        }
    }
}
