package io.millrace.script.translation;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
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

    @Override
    List<String> resources(
            final JobSpec spec,
            final TaskLayout layout,
            final List<JobSetting.Chunk> ownChunks,
            final TranslationBuilder translation) {
        final Resources requested = spec.resources();
        final List<String> words = new ArrayList<>(List.of("-n", Integer.toString(requested.cores())));
        memory(requested, layout, translation);
        if (requested.gpus() > 0) {
            gpus(words, requested, layout, translation);
        }
        layout.features().forEach(this::features);
        final String span = span(requested, layout, translation);
        final List<String> all = new ArrayList<>();
        if (!select.isEmpty()) {
            all.add("select[" + String.join(" && ", select) + "]");
        }
        if (!rusage.isEmpty()) {
            all.add("rusage[" + String.join(":", rusage) + "]");
        }
        if (!span.isEmpty()) {
            all.add("span[" + span + "]");
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

    /** Memory. LSF reserves it on each host. */
    private void memory(final Resources requested, final TaskLayout layout, final TranslationBuilder translation) {
        if (requested.memoryMib() == 0) {
            return;
        }
        if (layout.nodes() > 0 || requested.cores() == 1) {
            rusage.add("mem=" + Math.ceilDiv(requested.memoryMib(), Math.max(1, layout.nodes())));
        } else if (translation.has("rusage /task")) {
            rusage.add("mem=" + Math.ceilDiv(requested.memoryMib(), requested.cores()) + "/task");
        } else {
            rusage.add("mem=" + requested.memoryMib());
            translation.remark("memory is reserved on each host, because the number of hosts is not fixed");
        }
    }

    private void gpus(
            final List<String> words,
            final Resources requested,
            final TaskLayout layout,
            final TranslationBuilder translation) {
        if (!translation.has("-gpu")) {
            translation.unsupportedSize(
                    "GPU request (" + requested.gpus() + "): this LSF version does not support -gpu");
            return;
        }
        final int each = Math.ceilDiv(requested.gpus(), Math.max(1, layout.nodes()));
        final List<String> all = new ArrayList<>(List.of("num=" + each));
        all.addAll(gpuUse);
        if (gpuType != null) {
            all.add("gmodel=" + gpuType);
        }
        words.addAll(List.of("-gpu", String.join(":", all)));
    }

    private static String span(
            final Resources requested, final TaskLayout layout, final TranslationBuilder translation) {
        if (layout.nodes() == 1) {
            return "hosts=1";
        }
        if (layout.nodes() > 1) {
            return "ptile=" + Math.ceilDiv(requested.cores(), layout.nodes());
        }
        if (layout.coresPerTask() == 1 || layout.tasks() == 1) {
            return layout.coresPerTask() > 1 ? "hosts=1" : "";
        }
        if (translation.has("span[block]")) {
            return "block=" + layout.coresPerTask();
        }
        translation.remark("the " + layout.coresPerTask() + " cores of a process may be on different hosts");
        return "";
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
