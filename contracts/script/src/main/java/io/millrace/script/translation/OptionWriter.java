package io.millrace.script.translation;

import io.millrace.model.job.JobSpec;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the options of a workload manager. A method that a subclass does not override reports the option as unsupported. */
abstract class OptionWriter {

    /** The options for cores, nodes, memory and GPUs. */
    abstract List<String> resources(
            JobSpec spec, TaskLayout layout, List<JobSetting.Chunk> ownChunks, TranslationBuilder translation);

    /** The parts of chunks other than their size. */
    void chunks(final ScriptOption option, final JobSetting.Chunks setting, final TranslationBuilder translation) {
        setting.chunks()
                .forEach(chunk -> chunk.other().forEach((name, value) -> {
                    if (!value.isEmpty() && !value.equalsIgnoreCase("true") && !name.equals("ompthreads")) {
                        translation.unsupported(option, "no equivalent for " + name + "=" + value);
                    }
                }));
    }

    void coresPerTask(
            final ScriptOption option, final JobSetting.CoresPerTask setting, final TranslationBuilder translation) {
        // Part of the resources.
    }

    void memory(final ScriptOption option, final JobSetting.Memory setting) {
        // Part of the resources.
    }

    /** Whether nodes differ in what they are for, so that equal nodes would be another job. */
    static boolean isMixed(final TaskLayout layout, final List<JobSetting.Chunk> ownChunks) {
        return !layout.isOnOneNode()
                && ownChunks.stream()
                                .map(chunk -> new JobSetting.Chunk(
                                        1,
                                        chunk.cores(),
                                        chunk.processes(),
                                        chunk.memoryMib(),
                                        chunk.gpus(),
                                        chunk.other()))
                                .distinct()
                                .count()
                        > 1;
    }

    /** The GPU type; the number of GPUs is in the specification. */
    void gpus(final ScriptOption option, final JobSetting.Gpus setting, final TranslationBuilder translation) {
        if (setting.type() != null) {
            translation.unsupported(option, "the GPU type cannot be selected; any type is allocated");
        }
    }

    void array(
            final ScriptOption option,
            final JobSetting.Array setting,
            final String name,
            final TranslationBuilder translation) {
        translation.noEquivalent(option);
    }

    /** @return whether the option was added */
    boolean dependency(
            final ScriptOption option, final JobSetting.Dependency setting, final TranslationBuilder translation) {
        translation.noEquivalent(option);
        return false;
    }

    void mail(final ScriptOption option, final JobSetting.Mail setting, final TranslationBuilder translation) {
        if (!setting.on().contains(JobSetting.MailEvent.NONE)) {
            translation.noEquivalent(option);
        }
    }

    void signal(
            final ScriptOption option, final JobSetting.SignalBefore setting, final TranslationBuilder translation) {
        translation.noEquivalent(option);
    }

    void rerunnable(
            final ScriptOption option, final JobSetting.Rerunnable setting, final TranslationBuilder translation) {
        if (!setting.rerunnable()) {
            translation.noEquivalent(option);
        }
    }

    /** Checks the feature names; {@link #resources} writes them. */
    void feature(final ScriptOption option, final JobSetting.Feature setting, final TranslationBuilder translation) {
        if (!isPlain(setting.constraint())) {
            translation.unsupported(option, "only feature names joined by '&' are supported");
        }
    }

    void exclusive(
            final ScriptOption option, final JobSetting.Exclusive setting, final TranslationBuilder translation) {
        if (setting.exclusive()) {
            translation.noEquivalent(option);
        }
    }

    void licence(final ScriptOption option, final JobSetting.Licence setting, final TranslationBuilder translation) {
        translation.noEquivalent(option);
    }

    /** @param time in the format of this workload manager */
    void begin(final ScriptOption option, final String time, final TranslationBuilder translation) {
        translation.noEquivalent(option);
    }

    /** The time in the format of this workload manager; null if it cannot be expressed. */
    @Nullable
    String beginTime(final JobSetting.BeginTime begin) {
        return null;
    }

    void qualityOfService(
            final ScriptOption option,
            final JobSetting.QualityOfService setting,
            final TranslationBuilder translation) {
        translation.noEquivalent(option);
    }

    void reservation(
            final ScriptOption option, final JobSetting.Reservation setting, final TranslationBuilder translation) {
        translation.noEquivalent(option);
    }

    void priority(final ScriptOption option, final JobSetting.Priority setting, final TranslationBuilder translation) {
        translation.noEquivalent(option);
    }

    void hosts(final ScriptOption option, final JobSetting.Hosts setting, final TranslationBuilder translation) {
        translation.unsupported(option, "host names differ between clusters");
    }

    /** An option that is specific to this workload manager. */
    void systemSpecific(
            final ScriptOption option, final JobSetting.SystemSpecific setting, final TranslationBuilder translation) {
        translation.add(option, setting.options().toArray(String[]::new));
    }

    static boolean isPlain(final String constraint) {
        return Arrays.stream(constraint.split("&", -1))
                .allMatch(name -> name.matches("[\\p{L}\\p{N}_][\\p{L}\\p{N}_.-]*"));
    }

    /** The distinct names in all plain constraints. */
    static List<String> plainNames(final List<String> features) {
        return features.stream()
                .filter(OptionWriter::isPlain)
                .flatMap(feature -> Arrays.stream(feature.split("&")))
                .distinct()
                .toList();
    }
}
