package io.millrace.script;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import io.millrace.script.ParsedScript.SettingOf;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Goes through a script's options and says each in the words of the target, or why it cannot. */
final class Translator {

    private final WlmType wlm;
    private final WlmFeatures abilities;
    private final JobSpec spec;
    private final ParsedScript script;
    private final List<ScriptOption> options;

    Translator(final WlmType wlm, final WlmFeatures abilities, final JobSpec spec, final ParsedScript script) {
        this.wlm = wlm;
        this.abilities = abilities;
        this.spec = spec;
        this.script = script;
        this.options = script.optionsFor(wlm);
    }

    Translation translate() {
        final TranslationBuilder sayings = new TranslationBuilder(wlm, abilities);
        final TaskLayout layout = layout(sayings);
        final OptionWriter words = vocabulary();
        for (final ScriptOption option : options) {
            say(option, words, sayings);
        }
        mail().ifPresent(mail -> words.mail(mail.option(), mail.setting(), sayings));
        signal().ifPresent(signal -> words.signal(signal.option(), signal.setting(), sayings));
        final List<String> resources = words.resources(spec, layout, ownChunks(), sayings);
        final List<String> remarks = new ArrayList<>(script.remarks());
        remarks.addAll(sayings.remarks());
        return new Translation(sayings.options(), resources, layout, sayings.unsupportedOptions(), remarks, shell());
    }

    private OptionWriter vocabulary() {
        return switch (wlm) {
            case SLURM -> new SlurmOptionWriter();
            case PBSPRO -> new PbsProOptionWriter();
            case TORQUE -> new TorqueOptionWriter();
            case LSF -> new LsfOptionWriter();
            case LOCAL -> new LocalOptionWriter();
        };
    }

    /** The split the script wants, if it adds up to the cores of the specification; else one core a task. */
    private TaskLayout layout(final TranslationBuilder sayings) {
        final Resources wanted = spec.resources();
        final ScriptRequest asked = ScriptRequest.of(options);
        if (asked.cores() == null) {
            return new TaskLayout(
                    wanted.cores(),
                    1,
                    wanted.nodes(),
                    0,
                    asked.layout().features(),
                    asked.layout().exclusive());
        }
        final TaskLayout layout = asked.layout();
        if (asked.cores() == wanted.cores()
                && (wanted.nodes() == 0 || layout.nodes() == 0 || wanted.nodes() == layout.nodes())) {
            return wanted.nodes() == 0 || layout.nodes() > 0
                    ? layout
                    : new TaskLayout(
                            layout.tasks(),
                            layout.coresPerTask(),
                            wanted.nodes(),
                            layout.tasksPerNode(),
                            layout.features(),
                            layout.exclusive());
        }
        sayings.remark("the submission's " + wanted.cores() + " cores count, not the " + asked.cores()
                + " of the script; they are spread evenly");
        return new TaskLayout(wanted.cores(), 1, wanted.nodes(), 0, layout.features(), layout.exclusive());
    }

    /** Chunks that its own system can be given as they are. */
    private List<JobSetting.Chunk> ownChunks() {
        final Optional<SettingOf<JobSetting.Chunks>> chunks = ParsedScript.last(options, JobSetting.Chunks.class);
        final ScriptRequest asked = ScriptRequest.of(options);
        return chunks.isPresent()
                        && asked.cores() != null
                        && asked.cores() == spec.resources().cores()
                ? chunks.get().setting().chunks()
                : List.of();
    }

    private void say(final ScriptOption option, final OptionWriter words, final TranslationBuilder sayings) {
        switch (option.setting()) {
            case JobSetting.Name w -> {}
            case JobSetting.Cores w -> {}
            case JobSetting.Nodes w -> {}
            case JobSetting.TasksPerNode w -> {}
            case JobSetting.CoresPerTask w -> {}
            case JobSetting.Chunks w -> words.chunks(option, w, sayings);
            case JobSetting.Spread w -> {}
            case JobSetting.Memory w -> {}
            case JobSetting.Gpus w -> words.gpus(option, w, sayings);
            case JobSetting.Walltime w -> {}
            case JobSetting.Partition w -> {}
            case JobSetting.Project w -> {}
            case JobSetting.Output w -> output(option, sayings);
            case JobSetting.Error w -> output(option, sayings);
            case JobSetting.Array w -> words.array(option, w, spec.name(), sayings);
            case JobSetting.Dependency w -> dependency(option, w, words, sayings);
            case JobSetting.Mail w -> {} // several options together
            case JobSetting.SignalBefore w -> {} // several options together
            case JobSetting.Environment w -> environment(option, w, sayings);
            case JobSetting.Rerunnable w -> words.rerunnable(option, w, sayings);
            case JobSetting.Feature w -> words.feature(option, w, sayings);
            case JobSetting.Exclusive w -> words.exclusive(option, w, sayings);
            case JobSetting.Licence w -> words.licence(option, w, sayings);
            case JobSetting.BeginTime w -> begin(option, w, words, sayings);
            case JobSetting.Shell w -> {}
            case JobSetting.QualityOfService w -> words.qualityOfService(option, w, sayings);
            case JobSetting.Reservation w -> words.reservation(option, w, sayings);
            case JobSetting.Priority w -> words.priority(option, w, sayings);
            case JobSetting.Hosts w -> words.hosts(option, w, sayings);
            case JobSetting.SystemSpecific w -> {
                if (option.dialect() == wlm.dialect()) {
                    words.systemSpecific(option, w, sayings);
                } else {
                    sayings.unsupported(option, "only " + option.dialect().displayName() + " has this");
                }
            }
            case JobSetting.Ignored w -> {}
            case JobSetting.Unsupported w -> sayings.unsupported(option, w.reason());
        }
    }

    private static void output(final ScriptOption option, final TranslationBuilder sayings) {
        sayings.remark(option.where() + ": screen output goes to millrace-<job id>.out on every system, errors too");
    }

    private void dependency(
            final ScriptOption option, final JobSetting.Dependency wish, final OptionWriter words, final TranslationBuilder sayings) {
        if (words.dependency(option, wish, sayings)) {
            sayings.remark(option.where() + ": the jobs it names are looked for on the cluster where it lands");
        }
    }

    private static void environment(final ScriptOption option, final JobSetting.Environment wish, final TranslationBuilder sayings) {
        if (wish.all()) {
            sayings.unsupported(
                    option,
                    "the variables of the shell you submit from stay there; a job starts with its owner's login"
                            + " environment");
        }
        if (!wish.copied().isEmpty()) {
            sayings.unsupported(
                    option,
                    "the value of " + String.join(", ", wish.copied())
                            + " stays in the shell you submit from; write NAME=value");
        }
    }

    private void begin(final ScriptOption option, final JobSetting.BeginTime wish, final OptionWriter words, final TranslationBuilder sayings) {
        if (option.dialect() == wlm.dialect()) {
            words.begin(option, wish.original(), sayings);
            return;
        }
        final String time = words.beginTime(wish);
        if (time == null) {
            sayings.unsupported(option, wlm.displayName() + " cannot say this time; write the date in full, with its year");
        } else {
            words.begin(option, time, sayings);
        }
    }

    private @Nullable String shell() {
        return ParsedScript.last(options, JobSetting.Shell.class)
                .map(said -> said.setting().path())
                .orElse(null);
    }

    /** Occasions and address stand in options of their own. */
    private Optional<SettingOf<JobSetting.Mail>> mail() {
        final List<JobSetting.MailEvent> on = new ArrayList<>();
        String to = "";
        ScriptOption where = null;
        for (final ScriptOption option : options) {
            if (option.setting() instanceof JobSetting.Mail mail) {
                on.addAll(mail.on());
                to = mail.to().isEmpty() ? to : mail.to();
                where = option;
            }
        }
        if (where == null) {
            return Optional.empty();
        }
        final List<JobSetting.MailEvent> distinct = on.contains(JobSetting.MailEvent.NONE)
                ? List.of(JobSetting.MailEvent.NONE)
                : on.stream().distinct().toList();
        return Optional.of(new SettingOf<>(where, new JobSetting.Mail(distinct, to)));
    }

    private Optional<SettingOf<JobSetting.SignalBefore>> signal() {
        JobSetting.SignalBefore whole = null;
        ScriptOption where = null;
        for (final ScriptOption option : options) {
            if (option.setting() instanceof JobSetting.SignalBefore part) {
                whole = whole == null
                        ? part
                        : new JobSetting.SignalBefore(
                                part.signal() == null ? whole.signal() : part.signal(),
                                part.before() == null ? whole.before() : part.before(),
                                part.shellOnly());
                where = option;
            }
        }
        return whole == null || where == null ? Optional.empty() : Optional.of(new SettingOf<>(where, whole));
    }
}
