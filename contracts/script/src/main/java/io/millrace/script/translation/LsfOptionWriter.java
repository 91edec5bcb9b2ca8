package io.millrace.script.translation;

import io.millrace.model.job.JobSpec;
import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
import io.millrace.script.WlmFeatures;
import io.millrace.script.directive.ArrayIndices;
import io.millrace.script.directive.BeginTimes;
import io.millrace.script.directive.Dependencies;
import io.millrace.script.directive.LsfResourceString;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes options of {@code bsub}. All parts of {@code -R} are combined into one string, because older versions use only the last
 * {@code -R}.
 */
final class LsfOptionWriter extends OptionWriter {

    private static final Pattern YEAR = Pattern.compile("\\d{4}:");

    private final List<String> rusage = new ArrayList<>();
    private final List<String> select = new ArrayList<>();
    private final List<String> sections = new ArrayList<>();
    private final List<String> gpuUse = new ArrayList<>();
    private @Nullable String gpuType;
    private boolean gpusPerTask;
    /** Cores of each process, bound by LSF itself. */
    private @Nullable String affinity;

    private int coresPerTask;

    @Override
    List<String> resources(
            final JobSpec spec,
            final TaskLayout layout,
            final List<JobSetting.Chunk> ownChunks,
            final TranslationBuilder translation) {
        if (isMixed(layout, ownChunks)) {
            translation.refuseSize(
                    "the chunks have different sizes, but LSF gives all hosts of a job the same number of slots");
        }
        // A slot is a core, and VariableSetup starts one process for several of them. With affinity it is a process of
        // several cores.
        final boolean bound = affinity != null && layout.coresPerTask() == coresPerTask;
        final int slotsPerTask = bound ? 1 : Math.max(1, layout.coresPerTask());
        final int slots = bound ? layout.tasks() : layout.cores();
        final List<String> words = new ArrayList<>(List.of("-n", Integer.toString(slots)));
        final List<String> span = new ArrayList<>();
        final boolean oneHost = span(layout, slots, slotsPerTask, bound, span, translation);
        if (spec.resources().memoryMib() > 0) {
            memory(layout, slots, oneHost, translation);
        }
        if (spec.resources().gpus() > 0) {
            gpus(words, layout, oneHost, slotsPerTask, translation);
        }
        layout.features().forEach(this::features);
        final List<String> all = new ArrayList<>();
        if (!select.isEmpty()) {
            all.add("select[" + String.join(" && ", select) + "]");
        }
        if (!rusage.isEmpty()) {
            all.add("rusage[" + String.join(":", rusage) + "]");
        }
        all.addAll(span);
        if (bound) {
            all.add("affinity[" + affinity + "]");
        }
        all.addAll(sections);
        if (!all.isEmpty()) {
            words.addAll(List.of("-R", String.join(" ", all)));
        }
        if (layout.exclusive()) {
            words.add("-x");
        }
        return words;
    }

    /**
     * The hosts of the slots.
     *
     * @param section gets the section {@code span[…]}, if one is needed
     * @return whether the job is on one host
     */
    private boolean span(
            final TaskLayout layout,
            final int slots,
            final int slotsPerTask,
            final boolean bound,
            final List<String> section,
            final TranslationBuilder translation) {
        if (slots == 1) {
            return true;
        }
        final int largest = layout.parts().stream()
                .mapToInt(part -> bound ? part.tasks() : part.cores())
                .max()
                .orElse(1);
        if (layout.nodes() > 1) {
            if (Math.ceilDiv(slots, largest) != layout.nodes()) {
                translation.refuseSize("LSF fills each host with " + largest + " slots, so the job would get "
                        + Math.ceilDiv(slots, largest) + " hosts instead of " + layout.nodes());
            }
            section.add("span[ptile=" + largest + "]");
            return false;
        }
        final boolean divides = layout.isUniform() && largest > 1;
        final boolean gpusTogether = gpuCount(layout) > 0 && !gpusPerSlot(layout, slotsPerTask);
        if (!layout.isOnOneNode() && divides && layout.tasksPerNode() > 0) {
            section.add("span[ptile=" + largest + "]");
            return false;
        }
        if (!layout.isOnOneNode() && !gpusTogether) {
            if (largest == 1) {
                return false;
            }
            if (divides && translation.has("span[block]")) {
                section.add("span[block=" + largest + "]");
                return false;
            }
        }
        if (!layout.isOnOneNode()) {
            translation.remark("all cores are on one host, because LSF cannot otherwise keep "
                    + (gpusTogether ? "the number of GPUs" : "the cores of a process on one host"));
        }
        section.add("span[hosts=1]");
        return true;
    }

    /** Memory, for each host or for each slot. */
    private void memory(
            final TaskLayout layout, final int slots, final boolean oneHost, final TranslationBuilder translation) {
        final long total = layout.parts().stream()
                .mapToLong(part -> part.count() * part.memoryMib())
                .sum();
        final boolean hosts = oneHost
                || layout.nodes() > 0
                        && layout.parts().stream()
                                        .map(TaskLayout.Part::memoryMib)
                                        .distinct()
                                        .count()
                                == 1;
        final boolean perSlot = !translation.has(WlmFeatures.RESERVES_PER_HOST);
        final boolean eitherWay = translation.has("rusage /task");
        if (slots == 1 || hosts && !perSlot) {
            rusage.add("mem=" + Math.ceilDiv(total, oneHost ? 1 : layout.nodes()));
        } else if (hosts && eitherWay) {
            rusage.add("mem=" + Math.ceilDiv(total, oneHost ? 1 : layout.nodes()) + "/host");
        } else if (perSlot || eitherWay) {
            rusage.add("mem=" + Math.ceilDiv(total, slots) + (perSlot ? "" : "/task"));
        } else {
            final long largest = layout.parts().stream()
                    .mapToLong(TaskLayout.Part::memoryMib)
                    .max()
                    .orElse(0);
            rusage.add("mem=" + (layout.nodes() > 0 ? largest : total));
            translation.remark(
                    "this LSF version reserves the same memory on each host, so more than requested may be reserved");
        }
    }

    private static int gpuCount(final TaskLayout layout) {
        return layout.parts().stream()
                .mapToInt(part -> part.count() * part.gpus())
                .sum();
    }

    /** Whether each slot gets the same number of GPUs. */
    private boolean gpusPerSlot(final TaskLayout layout, final int slotsPerTask) {
        return slotsPerTask == 1
                && layout.coresPerTask() > 0
                && (gpusPerTask
                        || layout.isUniform()
                                && layout.count() > 1
                                && layout.parts().getFirst().tasks() == 1)
                && gpuCount(layout) % layout.tasks() == 0;
    }

    private void gpus(
            final List<String> words,
            final TaskLayout layout,
            final boolean oneHost,
            final int slotsPerTask,
            final TranslationBuilder translation) {
        final int total = gpuCount(layout);
        if (!translation.has("-gpu")) {
            translation.refuseSize("GPU request (" + total + "): this LSF version does not support -gpu");
            return;
        }
        final boolean perSlot = !oneHost && gpusPerSlot(layout, slotsPerTask) && (gpusPerTask || layout.nodes() == 0);
        final int hosts = oneHost ? 1 : Math.max(1, layout.nodes() > 0 ? layout.nodes() : layout.count());
        if (!perSlot && total % hosts > 0) {
            translation.refuseSize(
                    "LSF gives each host the same number of GPUs, so " + hosts + " hosts cannot get " + total);
        }
        final List<String> all = new ArrayList<>(
                List.of("num=" + (perSlot ? total / layout.tasks() + "/task" : Math.ceilDiv(total, hosts))));
        all.addAll(gpuUse);
        if (gpuType != null) {
            all.add("gmodel=" + gpuType);
        }
        words.addAll(List.of("-gpu", String.join(":", all)));
    }

    @Override
    void coresPerTask(
            final ScriptOption option, final JobSetting.CoresPerTask setting, final TranslationBuilder translation) {
        if (option.dialect() == Dialect.LSF && translation.has("affinity")) {
            coresPerTask = setting.count();
            affinity = (option.text().contains("thread") ? "thread(" : "core(") + coresPerTask + ")";
        }
    }

    private void features(final String constraint) {
        if (isPlain(constraint.replace('|', '&'))) {
            final String words = constraint.replace("&", " && ").replace("|", " || ");
            select.add(constraint.contains("|") ? "(" + words + ")" : words);
        }
    }

    @Override
    void feature(final ScriptOption option, final JobSetting.Feature setting, final TranslationBuilder translation) {
        if (!isPlain(setting.constraint().replace('|', '&'))) {
            translation.unsupported(option, "only feature names joined by '&' or '|' are supported");
        }
    }

    @Override
    void gpus(final ScriptOption option, final JobSetting.Gpus setting, final TranslationBuilder translation) {
        gpusPerTask = setting.per() == JobSetting.Per.TASK;
        if (setting.type() == null || setting.type().matches("[\\w.-]+")) {
            gpuType = setting.type();
        } else {
            super.gpus(option, setting, translation);
        }
    }

    @Override
    void exclusive(
            final ScriptOption option, final JobSetting.Exclusive setting, final TranslationBuilder translation) {
        // Part of the resources.
    }

    @Override
    void array(
            final ScriptOption option,
            final JobSetting.Array setting,
            final String name,
            final TranslationBuilder translation) {
        if (setting.ranges().get(0).first() == 0) {
            translation.unsupported(option, "LSF array indices start at 1");
            return;
        }
        translation.add(
                option,
                "-J",
                name + "[" + ArrayIndices.write(setting.ranges()) + "]"
                        + (setting.maxRunning() > 0 ? "%" + setting.maxRunning() : ""));
    }

    @Override
    boolean dependency(
            final ScriptOption option, final JobSetting.Dependency setting, final TranslationBuilder translation) {
        if (setting.after().stream().anyMatch(after -> after.when() == JobSetting.When.CORRESPONDING)) {
            translation.noEquivalent(option);
            return false;
        }
        if (setting.after().stream().anyMatch(after -> after.when() == JobSetting.When.SINGLETON)) {
            translation.noEquivalent(option);
            return false;
        }
        if (!setting.after().stream()
                .allMatch(after -> after.byName() || after.job().matches("\\d+(\\[[\\d,:*-]+])?"))) {
            translation.unsupported(option, "invalid job id");
            return false;
        }
        if (setting.after().stream().anyMatch(after -> after.job().contains("\""))) {
            translation.unsupported(option, "a job name in a dependency cannot contain quotes");
            return false;
        }
        return translation.add(option, "-w", Dependencies.forLsf(setting));
    }

    @Override
    void mail(final ScriptOption option, final JobSetting.Mail setting, final TranslationBuilder translation) {
        if (setting.on().contains(JobSetting.MailEvent.REQUEUE)) {
            translation.unsupported(option, "LSF does not send mail on requeue");
        }
        if (setting.on().contains(JobSetting.MailEvent.BEGIN)) {
            translation.add(option, "-B");
        }
        if (setting.on().contains(JobSetting.MailEvent.END)) {
            translation.add(option, "-N");
        } else if (setting.on().contains(JobSetting.MailEvent.FAIL)) {
            if (translation.has("-Ne")) {
                translation.add(option, "-Ne");
            } else {
                translation.add(option, "-N");
                translation.remark(option.where() + ": mail is sent at every job end, not only on failure");
            }
        }
        if (!setting.to().isEmpty()) {
            translation.add(option, "-u", setting.to());
        }
    }

    @Override
    void signal(
            final ScriptOption option, final JobSetting.SignalBefore setting, final TranslationBuilder translation) {
        if (setting.signal() == null) {
            translation.unsupported(option, "no signal specified");
            return;
        }
        final Duration before = setting.before() == null ? Duration.ofMinutes(1) : setting.before();
        if (translation.add(option, "-wa", setting.signal())) {
            translation.add(option, "-wt", Long.toString(Math.max(1, Math.ceilDiv(before.toSeconds(), 60))));
        }
    }

    @Override
    void rerunnable(
            final ScriptOption option, final JobSetting.Rerunnable setting, final TranslationBuilder translation) {
        translation.add(option, setting.rerunnable() ? "-r" : "-rn");
    }

    @Override
    void licence(final ScriptOption option, final JobSetting.Licence setting, final TranslationBuilder translation) {
        if (setting.name().matches("[A-Za-z_][\\w.-]*") && LsfResourceString.isLicence(setting.name())) {
            rusage.add(setting.name() + "=" + setting.count());
        } else {
            translation.unsupported(option, "'" + setting.name() + "' is not a valid LSF resource name");
        }
    }

    @Override
    void begin(final ScriptOption option, final String time, final TranslationBuilder translation) {
        final boolean withYear = YEAR.matcher(time).lookingAt();
        if (!withYear || translation.has("-b year")) {
            translation.add(option, "-b", time);
        } else if (translation.add(option, "-b", time.substring(time.indexOf(':') + 1))) {
            translation.remark(option.where() + ": this version takes no year; the job waits for the next such day");
        }
    }

    @Override
    @Nullable
    String beginTime(final JobSetting.BeginTime begin) {
        return BeginTimes.forLsf(begin);
    }

    @Override
    void reservation(
            final ScriptOption option, final JobSetting.Reservation setting, final TranslationBuilder translation) {
        translation.add(option, "-U", setting.name());
    }

    @Override
    void priority(final ScriptOption option, final JobSetting.Priority setting, final TranslationBuilder translation) {
        if (option.dialect() == Dialect.LSF) {
            translation.add(option, "-sp", Integer.toString(setting.value()));
        } else {
            translation.unsupported(option, "priority values are not comparable between workload managers");
        }
    }

    @Override
    void hosts(final ScriptOption option, final JobSetting.Hosts setting, final TranslationBuilder translation) {
        if (option.dialect() == Dialect.LSF && setting.allowed()) {
            translation.add(option, "-m", String.join(" ", setting.names()));
        } else {
            super.hosts(option, setting, translation);
        }
    }

    @Override
    void systemSpecific(
            final ScriptOption option, final JobSetting.SystemSpecific setting, final TranslationBuilder translation) {
        switch (setting.options().get(0)) {
            case "-R" -> section(setting);
            case "-gpu" -> gpuUse.add(setting.options().get(1));
            default -> super.systemSpecific(option, setting, translation);
        }
    }

    private void section(final JobSetting.SystemSpecific setting) {
        final String section = setting.options().get(1);
        final String inside = section.substring(section.indexOf('[') + 1, section.lastIndexOf(']'));
        if (section.startsWith("select[")) {
            select.add("(" + inside + ")");
        } else if (section.startsWith("rusage[")) {
            rusage.add(inside);
        } else {
            sections.add(section);
        }
    }
}
