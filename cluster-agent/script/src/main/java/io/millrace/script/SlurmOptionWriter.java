package io.millrace.script;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code sbatch}, by its manual page. */
final class SlurmOptionWriter extends OptionWriter {

    private @Nullable String gpuType;

    @Override
    List<String> resources(
            final JobSpec spec, final TaskLayout layout, final List<JobSetting.Chunk> ownChunks, final TranslationBuilder sayings) {
        final Resources wanted = spec.resources();
        final List<String> words = new ArrayList<>();
        words.add("--ntasks=" + layout.tasks());
        if (layout.coresPerTask() > 1) {
            words.add("--cpus-per-task=" + layout.coresPerTask());
        }
        if (layout.nodes() > 0) {
            words.add("--nodes=" + layout.nodes());
        }
        if (layout.tasksPerNode() > 0) {
            words.add("--ntasks-per-node=" + layout.tasksPerNode());
        }
        if (wanted.memoryMib() > 0) {
            words.add("--mem-per-cpu=" + Math.ceilDiv(wanted.memoryMib(), wanted.cores()) + "M");
        }
        if (wanted.gpus() > 0) {
            words.add(gpus(wanted.gpus(), layout.nodes()));
        }
        if (layout.exclusive()) {
            words.add("--exclusive");
        }
        if (!layout.features().isEmpty()) {
            words.add("--constraint=" + constraint(layout.features()));
        }
        return words;
    }

    private String gpus(final int count, final int nodes) {
        final boolean alike = nodes > 0 && count % nodes == 0;
        return (alike ? "--gpus-per-node=" : "--gpus=")
                + (gpuType == null ? "" : gpuType + ":")
                + (alike ? count / nodes : count);
    }

    private static String constraint(final List<String> features) {
        return features.size() == 1
                ? features.get(0)
                : features.stream()
                        .map(feature -> isPlain(feature) ? feature : "(" + feature + ")")
                        .collect(Collectors.joining("&"));
    }

    @Override
    void chunks(final ScriptOption option, final JobSetting.Chunks wish, final TranslationBuilder sayings) {
        super.chunks(option, wish, sayings);
    }

    @Override
    void gpus(final ScriptOption option, final JobSetting.Gpus wish, final TranslationBuilder sayings) {
        if (wish.type() == null || wish.type().matches("[\\w.-]+")) {
            gpuType = wish.type();
        } else {
            super.gpus(option, wish, sayings);
        }
    }

    @Override
    void feature(final ScriptOption option, final JobSetting.Feature wish, final TranslationBuilder sayings) {
        // All that the three systems can say of features is in Slurm's own language.
    }

    @Override
    void exclusive(final ScriptOption option, final JobSetting.Exclusive wish, final TranslationBuilder sayings) {
        if (!wish.exclusive() && option.dialect() == Dialect.SLURM) {
            sayings.add(option, "--oversubscribe");
        }
    }

    @Override
    void array(final ScriptOption option, final JobSetting.Array wish, final String name, final TranslationBuilder sayings) {
        sayings.add(option, "--array=" + ArrayIndices.write(wish.ranges()) + (wish.maxRunning() > 0 ? "%" + wish.maxRunning() : ""));
    }

    @Override
    boolean dependency(final ScriptOption option, final JobSetting.Dependency wish, final TranslationBuilder sayings) {
        if (wish.after().stream().anyMatch(JobSetting.After::byName)) {
            sayings.unsupported(option, "Slurm waits for ids, not for names");
            return false;
        }
        return sayings.add(option, "--dependency=" + Dependencies.chain(wish, wish.all() ? "," : "?"));
    }

    @Override
    void mail(final ScriptOption option, final JobSetting.Mail wish, final TranslationBuilder sayings) {
        final String types = wish.on().stream()
                .map(on -> switch (on) {
                    case BEGIN -> "BEGIN";
                    case END -> "END";
                    case FAIL -> "FAIL";
                    case REQUEUE -> "REQUEUE";
                    case NONE -> "NONE";
                })
                .collect(Collectors.joining(","));
        if (!types.isEmpty()) {
            sayings.add(option, "--mail-type=" + types);
        }
        if (!wish.to().isEmpty()) {
            sayings.add(option, "--mail-user=" + wish.to());
        }
    }

    @Override
    void signal(final ScriptOption option, final JobSetting.SignalBefore wish, final TranslationBuilder sayings) {
        if (wish.signal() == null) {
            sayings.unsupported(option, "it says when, but not which signal");
            return;
        }
        final Duration before = wish.before() == null ? Duration.ofSeconds(60) : wish.before();
        sayings.add(
                option,
                "--signal=" + (wish.shellOnly() ? "B:" : "") + wish.signal() + "@"
                        + Math.min(65535, before.toSeconds()));
    }

    @Override
    void rerunnable(final ScriptOption option, final JobSetting.Rerunnable wish, final TranslationBuilder sayings) {
        sayings.add(option, wish.rerunnable() ? "--requeue" : "--no-requeue");
    }

    @Override
    void licence(final ScriptOption option, final JobSetting.Licence wish, final TranslationBuilder sayings) {
        sayings.add(option, "--licenses=" + wish.name() + ":" + wish.count());
    }

    @Override
    void begin(final ScriptOption option, final String time, final TranslationBuilder sayings) {
        sayings.add(option, "--begin=" + time);
    }

    @Override
    @Nullable
    String beginTime(final JobSetting.BeginTime begin) {
        return BeginTimes.forSlurm(begin);
    }

    @Override
    void qualityOfService(final ScriptOption option, final JobSetting.QualityOfService wish, final TranslationBuilder sayings) {
        sayings.add(option, "--qos=" + wish.name());
    }

    @Override
    void reservation(final ScriptOption option, final JobSetting.Reservation wish, final TranslationBuilder sayings) {
        sayings.add(option, "--reservation=" + wish.name());
    }

    @Override
    void hosts(final ScriptOption option, final JobSetting.Hosts wish, final TranslationBuilder sayings) {
        if (option.dialect() == Dialect.SLURM) {
            sayings.add(option, (wish.allowed() ? "--nodelist=" : "--exclude=") + String.join(",", wish.names()));
        } else {
            super.hosts(option, wish, sayings);
        }
    }
}
