package io.millrace.script;

import io.millrace.model.job.JobSpec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The words of one workload manager. What it does not override, it has nothing like. */
abstract class Vocabulary {

    /** Cores, nodes, memory and GPUs. */
    abstract List<String> resources(JobSpec spec, Layout layout, List<Wish.Chunk> ownChunks, Sayings sayings);

    /** What chunks hold beside the figures. */
    void chunks(final Option option, final Wish.Chunks wish, final Sayings sayings) {
        wish.chunks()
                .forEach(chunk -> chunk.other().forEach((name, value) -> {
                    if (!value.isEmpty() && !value.equalsIgnoreCase("true") && !name.equals("ompthreads")) {
                        sayings.lose(option, "no equivalent for " + name + "=" + value);
                    }
                }));
        final Wish.Chunk first = wish.chunks().get(0);
        if (wish.chunks().stream().anyMatch(chunk -> chunk.cores() != first.cores())) {
            sayings.lose(option, "chunks of different size become as many cores of one kind");
        }
    }

    /** What kind of GPU; how many stands in the specification. */
    void gpus(final Option option, final Wish.Gpus wish, final Sayings sayings) {
        if (wish.type() != null) {
            sayings.lose(option, "the kind of GPU cannot be chosen here; any will be given");
        }
    }

    void array(final Option option, final Wish.Array wish, final String name, final Sayings sayings) {
        sayings.nothingLike(option);
    }

    /** Whether it was said. */
    boolean dependency(final Option option, final Wish.Dependency wish, final Sayings sayings) {
        sayings.nothingLike(option);
        return false;
    }

    void mail(final Option option, final Wish.Mail wish, final Sayings sayings) {
        if (!wish.on().contains(Wish.MailOn.NEVER)) {
            sayings.nothingLike(option);
        }
    }

    void signal(final Option option, final Wish.SignalBefore wish, final Sayings sayings) {
        sayings.nothingLike(option);
    }

    void rerunnable(final Option option, final Wish.Rerunnable wish, final Sayings sayings) {
        if (!wish.yes()) {
            sayings.nothingLike(option);
        }
    }

    /** Whether the names can be asked for; that they are stands in {@link #resources}. */
    void feature(final Option option, final Wish.Feature wish, final Sayings sayings) {
        if (!isPlain(wish.constraint())) {
            sayings.lose(option, "only names of features joined by '&' are understood here");
        }
    }

    void exclusive(final Option option, final Wish.Exclusive wish, final Sayings sayings) {
        if (wish.yes()) {
            sayings.nothingLike(option);
        }
    }

    void licence(final Option option, final Wish.Licence wish, final Sayings sayings) {
        sayings.nothingLike(option);
    }

    /** @param time in this system's words */
    void begin(final Option option, final String time, final Sayings sayings) {
        sayings.nothingLike(option);
    }

    /** The time in this system's words; null where it cannot be said. */
    @Nullable
    String time(final Wish.Begin begin) {
        return null;
    }

    void quality(final Option option, final Wish.Quality wish, final Sayings sayings) {
        sayings.nothingLike(option);
    }

    void reservation(final Option option, final Wish.Reservation wish, final Sayings sayings) {
        sayings.nothingLike(option);
    }

    void priority(final Option option, final Wish.Priority wish, final Sayings sayings) {
        sayings.nothingLike(option);
    }

    void hosts(final Option option, final Wish.Hosts wish, final Sayings sayings) {
        sayings.lose(option, "hosts of another system have other names here");
    }

    /** What its own script says in words that only this system has. */
    void own(final Option option, final Wish.Native wish, final Sayings sayings) {
        sayings.say(option, wish.words().toArray(String[]::new));
    }

    static boolean isPlain(final String constraint) {
        return constraint.matches("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*(&[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*)*");
    }

    /** The names in all plain constraints, each once. */
    static List<String> plain(final List<String> features) {
        return features.stream()
                .filter(Vocabulary::isPlain)
                .flatMap(feature -> Arrays.stream(feature.split("&")))
                .distinct()
                .toList();
    }
}
