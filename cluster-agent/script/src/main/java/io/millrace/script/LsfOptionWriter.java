package io.millrace.script;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code bsub}. What stands behind {@code -R} is one string, since older versions take only the last. */
final class LsfOptionWriter extends OptionWriter {

    private final List<String> rusage = new ArrayList<>();
    private final List<String> select = new ArrayList<>();
    private final List<String> sections = new ArrayList<>();
    private final List<String> gpuUse = new ArrayList<>();
    private @Nullable String gpuType;

    @Override
    List<String> resources(
            final JobSpec spec, final TaskLayout layout, final List<JobSetting.Chunk> ownChunks, final TranslationBuilder sayings) {
        final Resources wanted = spec.resources();
        final List<String> words = new ArrayList<>(List.of("-n", Integer.toString(wanted.cores())));
        memory(wanted, layout, sayings);
        if (wanted.gpus() > 0) {
            gpus(words, wanted, layout, sayings);
        }
        layout.features().forEach(this::features);
        final String span = span(wanted, layout, sayings);
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

    /** LSF reserves on each host. */
    private void memory(final Resources wanted, final TaskLayout layout, final TranslationBuilder sayings) {
        if (wanted.memoryMib() == 0) {
            return;
        }
        if (layout.nodes() > 0 || wanted.cores() == 1) {
            rusage.add("mem=" + Math.ceilDiv(wanted.memoryMib(), Math.max(1, layout.nodes())));
        } else if (sayings.has("rusage /task")) {
            rusage.add("mem=" + Math.ceilDiv(wanted.memoryMib(), wanted.cores()) + "/task");
        } else {
            rusage.add("mem=" + wanted.memoryMib());
            sayings.remark("memory is reserved on each host, since it is open how many there will be");
        }
    }

    private void gpus(final List<String> words, final Resources wanted, final TaskLayout layout, final TranslationBuilder sayings) {
        if (!sayings.has("-gpu")) {
            sayings.unsupported("the submission's " + wanted.gpus() + " GPUs: this LSF has no -gpu");
            return;
        }
        final int each = Math.ceilDiv(wanted.gpus(), Math.max(1, layout.nodes()));
        final List<String> all = new ArrayList<>(List.of("num=" + each));
        all.addAll(gpuUse);
        if (gpuType != null) {
            all.add("gmodel=" + gpuType);
        }
        words.addAll(List.of("-gpu", String.join(":", all)));
    }

    private static String span(final Resources wanted, final TaskLayout layout, final TranslationBuilder sayings) {
        if (layout.nodes() == 1) {
            return "hosts=1";
        }
        if (layout.nodes() > 1) {
            return "ptile=" + Math.ceilDiv(wanted.cores(), layout.nodes());
        }
        if (layout.coresPerTask() == 1 || layout.tasks() == 1) {
            return layout.coresPerTask() > 1 ? "hosts=1" : "";
        }
        if (sayings.has("span[block]")) {
            return "block=" + layout.coresPerTask();
        }
        sayings.remark("the " + layout.coresPerTask() + " cores of a process may stand on different hosts");
        return "";
    }

    private void features(final String constraint) {
        if (isPlain(constraint.replace('|', '&'))) {
            final String words = constraint.replace("&", " && ").replace("|", " || ");
            select.add(constraint.contains("|") ? "(" + words + ")" : words);
        }
    }

    @Override
    void feature(final ScriptOption option, final JobSetting.Feature wish, final TranslationBuilder sayings) {
        if (!isPlain(wish.constraint().replace('|', '&'))) {
            sayings.unsupported(option, "only names of features joined by '&' or '|' are understood here");
        }
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
    void exclusive(final ScriptOption option, final JobSetting.Exclusive wish, final TranslationBuilder sayings) {
        // Stands with the resources.
    }

    @Override
    void array(final ScriptOption option, final JobSetting.Array wish, final String name, final TranslationBuilder sayings) {
        if (wish.ranges().get(0).first() == 0) {
            sayings.unsupported(option, "LSF counts the tasks of an array from 1");
            return;
        }
        sayings.add(
                option,
                "-J",
                name + "[" + ArrayIndices.write(wish.ranges()) + "]" + (wish.maxRunning() > 0 ? "%" + wish.maxRunning() : ""));
    }

    @Override
    boolean dependency(final ScriptOption option, final JobSetting.Dependency wish, final TranslationBuilder sayings) {
        if (wish.after().stream().anyMatch(after -> after.when() == JobSetting.When.SINGLETON)) {
            sayings.noEquivalent(option);
            return false;
        }
        if (!wish.after().stream()
                .allMatch(after -> after.byName() || after.job().matches("\\d+(\\[[\\d,:*-]+])?"))) {
            sayings.unsupported(option, "it names something that cannot be the id of a job");
            return false;
        }
        if (wish.after().stream().anyMatch(after -> after.job().contains("\""))) {
            sayings.unsupported(option, "a name with quotes cannot be waited for");
            return false;
        }
        return sayings.add(option, "-w", Dependencies.forLsf(wish));
    }

    @Override
    void mail(final ScriptOption option, final JobSetting.Mail wish, final TranslationBuilder sayings) {
        if (wish.on().contains(JobSetting.MailEvent.REQUEUE)) {
            sayings.unsupported(option, "LSF sends no mail about a requeue");
        }
        if (wish.on().contains(JobSetting.MailEvent.BEGIN)) {
            sayings.add(option, "-B");
        }
        if (wish.on().contains(JobSetting.MailEvent.END)) {
            sayings.add(option, "-N");
        } else if (wish.on().contains(JobSetting.MailEvent.FAIL)) {
            if (sayings.has("-Ne")) {
                sayings.add(option, "-Ne");
            } else {
                sayings.add(option, "-N");
                sayings.remark(option.where() + ": mail comes at every end, not only at a failure");
            }
        }
        if (!wish.to().isEmpty()) {
            sayings.add(option, "-u", wish.to());
        }
    }

    @Override
    void signal(final ScriptOption option, final JobSetting.SignalBefore wish, final TranslationBuilder sayings) {
        if (wish.signal() == null) {
            sayings.unsupported(option, "it says when, but not which signal");
            return;
        }
        final Duration before = wish.before() == null ? Duration.ofMinutes(1) : wish.before();
        if (sayings.add(option, "-wa", wish.signal())) {
            sayings.add(option, "-wt", Long.toString(Math.max(1, Math.ceilDiv(before.toSeconds(), 60))));
        }
    }

    @Override
    void rerunnable(final ScriptOption option, final JobSetting.Rerunnable wish, final TranslationBuilder sayings) {
        sayings.add(option, wish.rerunnable() ? "-r" : "-rn");
    }

    @Override
    void licence(final ScriptOption option, final JobSetting.Licence wish, final TranslationBuilder sayings) {
        if (wish.name().matches("[A-Za-z_][\\w.-]*") && LsfResourceString.isLicence(wish.name())) {
            rusage.add(wish.name() + "=" + wish.count());
        } else {
            sayings.unsupported(option, "'" + wish.name() + "' cannot be the name of a resource here");
        }
    }

    @Override
    void begin(final ScriptOption option, final String time, final TranslationBuilder sayings) {
        sayings.add(option, "-b", time);
    }

    @Override
    @Nullable
    String beginTime(final JobSetting.BeginTime begin) {
        return BeginTimes.forLsf(begin);
    }

    @Override
    void reservation(final ScriptOption option, final JobSetting.Reservation wish, final TranslationBuilder sayings) {
        sayings.add(option, "-U", wish.name());
    }

    @Override
    void priority(final ScriptOption option, final JobSetting.Priority wish, final TranslationBuilder sayings) {
        if (option.dialect() == Dialect.LSF) {
            sayings.add(option, "-sp", Integer.toString(wish.value()));
        } else {
            sayings.unsupported(option, "priorities have another scale here");
        }
    }

    @Override
    void hosts(final ScriptOption option, final JobSetting.Hosts wish, final TranslationBuilder sayings) {
        if (option.dialect() == Dialect.LSF && wish.allowed()) {
            sayings.add(option, "-m", String.join(" ", wish.names()));
        } else {
            super.hosts(option, wish, sayings);
        }
    }

    @Override
    void systemSpecific(final ScriptOption option, final JobSetting.SystemSpecific wish, final TranslationBuilder sayings) {
        switch (wish.options().get(0)) {
            case "-R" -> section(wish);
            case "-gpu" -> gpuUse.add(wish.options().get(1));
            default -> super.systemSpecific(option, wish, sayings);
        }
    }

    private void section(final JobSetting.SystemSpecific wish) {
        final String section = wish.options().get(1);
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
