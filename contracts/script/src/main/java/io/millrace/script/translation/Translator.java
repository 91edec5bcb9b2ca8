package io.millrace.script.translation;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import io.millrace.script.ArrayTask;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.TaskLayout;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.Dependencies;
import io.millrace.script.directive.ExportRules;
import io.millrace.script.directive.MailRequest;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ParsedScript.SettingOf;
import io.millrace.script.directive.ScriptRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Translates the options of a script one by one, or reports why an option cannot be translated. */
final class Translator {

    private final WlmType wlm;
    private final WlmFeatures features;
    private final JobSpec spec;
    private final ParsedScript script;
    private final List<ScriptOption> options;

    Translator(final WlmType wlm, final WlmFeatures features, final JobSpec spec, final ParsedScript script) {
        this.wlm = wlm;
        this.features = features;
        this.spec = spec;
        this.script = script;
        this.options = script.optionsFor(wlm);
    }

    Translation translate() {
        final TranslationBuilder translation = new TranslationBuilder(wlm, features, size());
        final TaskLayout layout = layout(translation);
        final OptionWriter writer = optionWriter();
        for (final ScriptOption option : options) {
            translateOption(option, writer, translation);
        }
        mail().ifPresent(mail -> writer.mail(mail.option(), mail.setting(), translation));
        signal().ifPresent(signal -> writer.signal(signal.option(), signal.setting(), translation));
        final List<String> resources = writer.resources(spec, layout, ownChunks(), translation);
        final List<String> remarks = new ArrayList<>(script.remarks());
        remarks.addAll(translation.remarks());
        return new Translation(
                translation.options(),
                resources,
                layout,
                translation.unsupportedOptions(),
                translation.essential(),
                remarks,
                shell());
    }

    private OptionWriter optionWriter() {
        return switch (wlm) {
            case SLURM -> new SlurmOptionWriter();
            case PBSPRO -> new PbsProOptionWriter();
            case TORQUE -> new TorqueOptionWriter();
            case LSF -> new LsfOptionWriter();
            case LOCAL -> new LocalOptionWriter();
        };
    }

    /** The layout of the script, if it adds up to the cores of the specification; otherwise one core per task. */
    private TaskLayout layout(final TranslationBuilder translation) {
        final Resources requested = spec.resources();
        final ScriptRequest scriptRequest = ScriptRequest.of(options);
        final TaskLayout layout = scriptRequest.layout();
        final TaskLayout plain =
                TaskLayout.even(requested.cores(), requested.nodes()).with(layout.features(), layout.exclusive());
        if (scriptRequest.cores() == null) {
            return plain.granted(requested);
        }
        if (scriptRequest.cores() == requested.cores()
                && (requested.nodes() == 0 || layout.nodes() == 0 || requested.nodes() == layout.nodes())) {
            return (requested.nodes() == 0 || layout.nodes() > 0 ? layout : layout.onNodes(requested.nodes()))
                    .granted(requested);
        }
        translation.remark("using " + requested.cores() + " cores from the submission instead of "
                + scriptRequest.cores() + " from the script, one per task");
        return plain.granted(requested);
    }

    /** The chunks of the script, if they match the cores of the specification. */
    private List<JobSetting.Chunk> ownChunks() {
        final Optional<SettingOf<JobSetting.Chunks>> chunks = ParsedScript.last(options, JobSetting.Chunks.class);
        final ScriptRequest scriptRequest = ScriptRequest.of(options);
        return chunks.isPresent()
                        && scriptRequest.cores() != null
                        && scriptRequest.cores() == spec.resources().cores()
                ? chunks.get().setting().chunks()
                : List.of();
    }

    /** The option that gives the job its size, for messages. */
    private @Nullable ScriptOption size() {
        return options.stream()
                .filter(option -> switch (option.setting()) {
                    case JobSetting.Chunks w -> true;
                    case JobSetting.Cores w -> true;
                    case JobSetting.Nodes w -> true;
                    case JobSetting.TasksPerNode w -> true;
                    case JobSetting.CoresPerTask w -> true;
                    case JobSetting.TasksPerGpu w -> true;
                    case JobSetting.CoresPerGpu w -> true;
                    default -> false;
                })
                .reduce((first, second) -> first.setting() instanceof JobSetting.Chunks ? first : second)
                .orElse(null);
    }

    private void translateOption(
            final ScriptOption option, final OptionWriter writer, final TranslationBuilder translation) {
        switch (option.setting()) {
            case JobSetting.Name w -> {}
            case JobSetting.Cores w -> {}
            case JobSetting.Nodes w -> {}
            case JobSetting.TasksPerNode w -> {}
            case JobSetting.CoresPerTask w -> writer.coresPerTask(option, w, translation);
            case JobSetting.TasksPerGpu w -> {} // counted in the size
            case JobSetting.CoresPerGpu w -> {}
            case JobSetting.Chunks w -> writer.chunks(option, w, translation);
            case JobSetting.Spread w -> {}
            case JobSetting.Memory w -> writer.memory(option, w);
            case JobSetting.Gpus w -> writer.gpus(option, w, translation);
            case JobSetting.Walltime w -> {}
            case JobSetting.Partition w -> {}
            case JobSetting.Project w -> {}
            case JobSetting.Clusters w -> {} // see TargetRequest
            case JobSetting.Hold w -> {} // see JobSubmitted
            case JobSetting.WorkingDirectory w -> {} // see JobSubmitted
            case JobSetting.Output w -> {} // see StandardStreams
            case JobSetting.Error w -> {}
            case JobSetting.Input w -> {}
            case JobSetting.Arguments w -> {} // see JobWrapper
            case JobSetting.Array w -> {
                if (!ArrayTask.isTask(spec.environment())) {
                    writer.array(option, w, spec.name(), translation);
                }
            }
            case JobSetting.Dependency w -> dependency(option, w, writer, translation);
            case JobSetting.Mail w -> {} // combined from several options
            case JobSetting.SignalBefore w -> {} // combined from several options
            case JobSetting.Environment w -> environment(option, w, translation);
            case JobSetting.Rerunnable w -> writer.rerunnable(option, w, translation);
            case JobSetting.Feature w -> writer.feature(option, w, translation);
            case JobSetting.Exclusive w -> writer.exclusive(option, w, translation);
            case JobSetting.Licence w -> writer.licence(option, w, translation);
            case JobSetting.BeginTime w -> begin(option, w, writer, translation);
            case JobSetting.Shell w -> {}
            case JobSetting.QualityOfService w -> writer.qualityOfService(option, w, translation);
            case JobSetting.Reservation w -> writer.reservation(option, w, translation);
            case JobSetting.Priority w -> writer.priority(option, w, translation);
            case JobSetting.Hosts w -> writer.hosts(option, w, translation);
            case JobSetting.SystemSpecific w -> {
                if (option.knownTo().contains(wlm)) {
                    writer.systemSpecific(option, w, translation);
                } else {
                    translation.unsupported(option, "specific to " + owners(option));
                }
            }
            case JobSetting.Ignored w -> {}
            case JobSetting.Unsupported w -> translation.unsupported(option, w.reason());
        }
    }

    private static String owners(final ScriptOption option) {
        return option.knownTo().size() == 1
                ? option.knownTo().iterator().next().displayName()
                : option.dialect().displayName();
    }

    private void dependency(
            final ScriptOption option,
            final JobSetting.Dependency setting,
            final OptionWriter writer,
            final TranslationBuilder translation) {
        if (!Dependencies.isGlobal(setting)
                && writer.dependency(option, Dependencies.withLocalIds(setting), translation)) {
            translation.remark(option.where() + ": refers to jobs on the cluster where the job runs");
        }
    }

    private void environment(
            final ScriptOption option, final JobSetting.Environment setting, final TranslationBuilder translation) {
        final Map<String, String> variables = spec.environment();
        if (setting.all() && !variables.containsKey(ExportRules.APPLIED)) {
            translation.unsupported(option, "the submission contains no variables of the shell; mgsub adds them");
        }
        final List<String> missing = setting.copied().stream()
                .filter(name -> !variables.containsKey(name))
                .toList();
        if (!missing.isEmpty()) {
            translation.unsupported(
                    option, "not set in the submission: " + String.join(", ", missing) + "; use NAME=value");
        }
    }

    private void begin(
            final ScriptOption option,
            final JobSetting.BeginTime setting,
            final OptionWriter writer,
            final TranslationBuilder translation) {
        if (option.dialect() == wlm.dialect()) {
            writer.begin(option, setting.original(), translation);
            return;
        }
        final String time = writer.beginTime(setting);
        if (time == null) {
            translation.unsupported(
                    option, wlm.displayName() + " does not support this time; write the full date with the year");
        } else {
            writer.begin(option, time, translation);
        }
    }

    private @Nullable String shell() {
        return ParsedScript.last(options, JobSetting.Shell.class)
                .map(value -> value.setting().path())
                .orElse(null);
    }

    /** Mail events and address are in separate options. */
    private Optional<SettingOf<JobSetting.Mail>> mail() {
        if (spec.environment().containsKey(MailRequest.TYPE)) {
            return Optional.empty();
        }
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
