package io.millrace.script;

import io.millrace.model.job.JobSpec;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The words of one workload manager. What it does not override, it has nothing like. */
abstract class OptionWriter {

    /** Cores, nodes, memory and GPUs. */
    abstract List<String> resources(JobSpec spec, TaskLayout layout, List<JobSetting.Chunk> ownChunks, TranslationBuilder sayings);

    /** What chunks hold beside the figures. */
    void chunks(final ScriptOption option, final JobSetting.Chunks wish, final TranslationBuilder sayings) {
        wish.chunks()
                .forEach(chunk -> chunk.other().forEach((name, value) -> {
                    if (!value.isEmpty() && !value.equalsIgnoreCase("true") && !name.equals("ompthreads")) {
                        sayings.unsupported(option, "no equivalent for " + name + "=" + value);
                    }
                }));
        final JobSetting.Chunk first = wish.chunks().get(0);
        if (wish.chunks().stream().anyMatch(chunk -> chunk.cores() != first.cores())) {
            sayings.unsupported(option, "chunks of different size become as many cores of one kind");
        }
    }

    /** What kind of GPU; how many stands in the specification. */
    void gpus(final ScriptOption option, final JobSetting.Gpus wish, final TranslationBuilder sayings) {
        if (wish.type() != null) {
            sayings.unsupported(option, "the kind of GPU cannot be chosen here; any will be given");
        }
    }

    void array(final ScriptOption option, final JobSetting.Array wish, final String name, final TranslationBuilder sayings) {
        sayings.noEquivalent(option);
    }

    /** Whether it was said. */
    boolean dependency(final ScriptOption option, final JobSetting.Dependency wish, final TranslationBuilder sayings) {
        sayings.noEquivalent(option);
        return false;
    }

    void mail(final ScriptOption option, final JobSetting.Mail wish, final TranslationBuilder sayings) {
        if (!wish.on().contains(JobSetting.MailEvent.NONE)) {
            sayings.noEquivalent(option);
        }
    }

    void signal(final ScriptOption option, final JobSetting.SignalBefore wish, final TranslationBuilder sayings) {
        sayings.noEquivalent(option);
    }

    void rerunnable(final ScriptOption option, final JobSetting.Rerunnable wish, final TranslationBuilder sayings) {
        if (!wish.rerunnable()) {
            sayings.noEquivalent(option);
        }
    }

    /** Whether the names can be asked for; that they are stands in {@link #resources}. */
    void feature(final ScriptOption option, final JobSetting.Feature wish, final TranslationBuilder sayings) {
        if (!isPlain(wish.constraint())) {
            sayings.unsupported(option, "only names of features joined by '&' are understood here");
        }
    }

    void exclusive(final ScriptOption option, final JobSetting.Exclusive wish, final TranslationBuilder sayings) {
        if (wish.exclusive()) {
            sayings.noEquivalent(option);
        }
    }

    void licence(final ScriptOption option, final JobSetting.Licence wish, final TranslationBuilder sayings) {
        sayings.noEquivalent(option);
    }

    /** @param time in this system's words */
    void begin(final ScriptOption option, final String time, final TranslationBuilder sayings) {
        sayings.noEquivalent(option);
    }

    /** The time in this system's words; null where it cannot be said. */
    @Nullable
    String beginTime(final JobSetting.BeginTime begin) {
        return null;
    }

    void qualityOfService(final ScriptOption option, final JobSetting.QualityOfService wish, final TranslationBuilder sayings) {
        sayings.noEquivalent(option);
    }

    void reservation(final ScriptOption option, final JobSetting.Reservation wish, final TranslationBuilder sayings) {
        sayings.noEquivalent(option);
    }

    void priority(final ScriptOption option, final JobSetting.Priority wish, final TranslationBuilder sayings) {
        sayings.noEquivalent(option);
    }

    void hosts(final ScriptOption option, final JobSetting.Hosts wish, final TranslationBuilder sayings) {
        sayings.unsupported(option, "hosts of another system have other names here");
    }

    /** What its own script says in words that only this system has. */
    void systemSpecific(final ScriptOption option, final JobSetting.SystemSpecific wish, final TranslationBuilder sayings) {
        sayings.add(option, wish.options().toArray(String[]::new));
    }

    static boolean isPlain(final String constraint) {
        return constraint.matches("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*(&[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*)*");
    }

    /** The names in all plain constraints, each once. */
    static List<String> plainNames(final List<String> features) {
        return features.stream()
                .filter(OptionWriter::isPlain)
                .flatMap(feature -> Arrays.stream(feature.split("&")))
                .distinct()
                .toList();
    }
}
