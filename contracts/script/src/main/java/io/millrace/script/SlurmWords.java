package io.millrace.script;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code sbatch}, by its manual page. */
final class SlurmWords extends Vocabulary {

    private @Nullable String gpuType;

    @Override
    List<String> resources(
            final JobSpec spec, final Layout layout, final List<Wish.Chunk> ownChunks, final Sayings sayings) {
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
        if (wanted.memory_mib() > 0) {
            words.add("--mem-per-cpu=" + Math.ceilDiv(wanted.memory_mib(), wanted.cores()) + "M");
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
    void chunks(final Option option, final Wish.Chunks wish, final Sayings sayings) {
        super.chunks(option, wish, sayings);
    }

    @Override
    void gpus(final Option option, final Wish.Gpus wish, final Sayings sayings) {
        if (wish.type() == null || wish.type().matches("[\\w.-]+")) {
            gpuType = wish.type();
        } else {
            super.gpus(option, wish, sayings);
        }
    }

    @Override
    void feature(final Option option, final Wish.Feature wish, final Sayings sayings) {
        // All that the three systems can say of features is in Slurm's own language.
    }

    @Override
    void exclusive(final Option option, final Wish.Exclusive wish, final Sayings sayings) {
        if (!wish.yes() && option.dialect() == Dialect.SLURM) {
            sayings.say(option, "--oversubscribe");
        }
    }

    @Override
    void array(final Option option, final Wish.Array wish, final String name, final Sayings sayings) {
        sayings.say(option, "--array=" + Indices.write(wish.ranges()) + (wish.atOnce() > 0 ? "%" + wish.atOnce() : ""));
    }

    @Override
    boolean dependency(final Option option, final Wish.Dependency wish, final Sayings sayings) {
        if (wish.after().stream().anyMatch(Wish.After::byName)) {
            sayings.lose(option, "Slurm waits for ids, not for names");
            return false;
        }
        return sayings.say(option, "--dependency=" + Dependencies.chain(wish, wish.all() ? "," : "?"));
    }

    @Override
    void mail(final Option option, final Wish.Mail wish, final Sayings sayings) {
        final String types = wish.on().stream()
                .map(on -> switch (on) {
                    case BEGIN -> "BEGIN";
                    case END -> "END";
                    case FAIL -> "FAIL";
                    case REQUEUE -> "REQUEUE";
                    case NEVER -> "NONE";
                })
                .collect(Collectors.joining(","));
        if (!types.isEmpty()) {
            sayings.say(option, "--mail-type=" + types);
        }
        if (!wish.to().isEmpty()) {
            sayings.say(option, "--mail-user=" + wish.to());
        }
    }

    @Override
    void signal(final Option option, final Wish.SignalBefore wish, final Sayings sayings) {
        if (wish.signal() == null) {
            sayings.lose(option, "it says when, but not which signal");
            return;
        }
        final Duration before = wish.before() == null ? Duration.ofSeconds(60) : wish.before();
        sayings.say(
                option,
                "--signal=" + (wish.shellOnly() ? "B:" : "") + wish.signal() + "@"
                        + Math.min(65535, before.toSeconds()));
    }

    @Override
    void rerunnable(final Option option, final Wish.Rerunnable wish, final Sayings sayings) {
        sayings.say(option, wish.yes() ? "--requeue" : "--no-requeue");
    }

    @Override
    void licence(final Option option, final Wish.Licence wish, final Sayings sayings) {
        sayings.say(option, "--licenses=" + wish.name() + ":" + wish.count());
    }

    @Override
    void begin(final Option option, final String time, final Sayings sayings) {
        sayings.say(option, "--begin=" + time);
    }

    @Override
    @Nullable
    String time(final Wish.Begin begin) {
        return Begins.forSlurm(begin);
    }

    @Override
    void quality(final Option option, final Wish.Quality wish, final Sayings sayings) {
        sayings.say(option, "--qos=" + wish.name());
    }

    @Override
    void reservation(final Option option, final Wish.Reservation wish, final Sayings sayings) {
        sayings.say(option, "--reservation=" + wish.name());
    }

    @Override
    void hosts(final Option option, final Wish.Hosts wish, final Sayings sayings) {
        if (option.dialect() == Dialect.SLURM) {
            sayings.say(option, (wish.allowed() ? "--nodelist=" : "--exclude=") + String.join(",", wish.names()));
        } else {
            super.hosts(option, wish, sayings);
        }
    }
}
