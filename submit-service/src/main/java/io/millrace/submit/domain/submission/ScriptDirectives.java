package io.millrace.submit.domain.submission;

import io.millrace.model.Resources;
import io.millrace.model.job.JobSpec;
import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.StandardStreams;
import io.millrace.script.directive.CommandLineOptions;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.directive.ScriptRequest;
import io.millrace.script.directive.UnreadBlock;
import io.millrace.submit.domain.RequestRefused;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The directives of a job script and the options of its submission, and how the resulting job differs from them. */
public final class ScriptDirectives {

    private final ParsedScript read;
    private final ScriptRequest requested;

    public ScriptDirectives(final JobSpec spec) {
        this(ScriptParser.of(spec), false);
    }

    /** @param options words of options of {@code sbatch} */
    ScriptDirectives(final String script, final List<String> options) {
        this(
                ScriptParser.read(script, Map.of(CommandLineOptions.VARIABLE, CommandLineOptions.variable(options))),
                false);
    }

    private ScriptDirectives(final ParsedScript read, final boolean memoryPerSlot) {
        this.read = read;
        this.requested = read.request(memoryPerSlot);
    }

    /** Whether the amount of memory depends on the LSF cluster for which the script was written; see {@link LsfMemory}. */
    boolean dependsOnLsfMemory() {
        return !Objects.equals(requested.memoryMib(), read.request(true).memoryMib());
    }

    ScriptDirectives withMemoryPerSlot() {
        return new ScriptDirectives(read, true);
    }

    ScriptRequest requested() {
        return requested;
    }

    /** The arguments that the script gives itself. */
    List<String> arguments() {
        return last(JobSetting.Arguments.class)
                .map(option -> ((JobSetting.Arguments) option.setting()).words())
                .orElse(List.of());
    }

    /** The clusters that the script names. */
    List<String> clusters() {
        return last(JobSetting.Clusters.class)
                .map(option -> ((JobSetting.Clusters) option.setting()).names())
                .orElse(List.of());
    }

    /** The node features that the script requires; alternatives are one entry. A condition on numbers of nodes is left to the workload manager. */
    List<String> features() {
        final List<String> features = new ArrayList<>();
        read.of(read.leadingDialect()).forEach(option -> {
            if (option.setting() instanceof JobSetting.Feature feature) {
                final String plain = feature.constraint().replaceAll("^\\[([^&,\\[\\]]*)]$", "$1");
                if (plain.matches("[\\w.:+|&,-]+")) {
                    features.addAll(List.of(plain.split("[&,]+")));
                }
            }
        });
        return features;
    }

    boolean exclusive() {
        return last(JobSetting.Exclusive.class)
                .filter(option -> ((JobSetting.Exclusive) option.setting()).exclusive())
                .isPresent();
    }

    /** Tokens by licence. */
    Map<String, Integer> licences() {
        final Map<String, Integer> licences = new TreeMap<>();
        read.of(read.leadingDialect()).forEach(option -> {
            if (option.setting() instanceof JobSetting.Licence licence) {
                licences.merge(licence.name(), licence.count(), Integer::sum);
            }
        });
        return licences;
    }

    /** Why the size of the script is not known; null if it is known, or if the script has no directives. */
    @Nullable
    String unreadSize() {
        return any() || requested.cores() != null
                ? null
                : read.unread().stream()
                        .filter(UnreadBlock::setsSize)
                        .findFirst()
                        .map(UnreadBlock::toString)
                        .orElse(null);
    }

    boolean any() {
        return !read.dialects().isEmpty();
    }

    List<RequestRefused.Field> errors() {
        return read.problems().stream()
                .map(problem ->
                        new RequestRefused.Field(problem.isOfCommandLine() ? "options" : "script", problem.toString()))
                .toList();
    }

    /** The workload managers whose directives the script has. */
    Set<Dialect> dialects() {
        return read.dialects();
    }

    /** The last option of this kind; null if there is none. */
    @Nullable
    ScriptOption option(final Class<? extends JobSetting> kind) {
        return last(kind).orElse(null);
    }

    /** Notes for the owner of a job that was created from this script. */
    public List<String> notes(final JobSpec spec) {
        final List<String> notes = new ArrayList<>(read.remarks());
        notes.addAll(requested.remarks());
        final Resources wanted = spec.resources();
        noteDifference(notes, JobSetting.Cores.class, "cores", wanted.cores(), requested.cores());
        noteDifference(notes, JobSetting.Nodes.class, "nodes", wanted.nodes(), requested.nodes());
        if (dependsOnLsfMemory()
                && Long.valueOf(wanted.memoryMib()).equals(read.request(true).memoryMib())) {
            notes.add(location(JobSetting.Memory.class) + ": memory for each slot, as the LSF cluster reserves it");
        } else {
            noteDifference(notes, JobSetting.Memory.class, "memory (MiB)", wanted.memoryMib(), requested.memoryMib());
        }
        noteDifference(notes, JobSetting.Gpus.class, "GPUs", wanted.gpus(), requested.gpus());
        noteDifference(notes, JobSetting.Walltime.class, "walltime", spec.walltime(), requested.walltime());
        noteDifference(
                notes,
                JobSetting.Partition.class,
                "partition",
                Objects.toString(spec.partition(), null),
                requested.partition());
        noteDifference(
                notes,
                JobSetting.Project.class,
                "project",
                Objects.toString(spec.project(), null),
                requested.project());
        final Map<String, String> variables = spec.environment();
        noteStream(
                notes,
                JobSetting.Output.class,
                JobSetting.Output::path,
                variables.get(StandardStreams.OUTPUT),
                "millrace-<number>.out");
        noteStream(
                notes,
                JobSetting.Error.class,
                JobSetting.Error::path,
                variables.get(StandardStreams.ERROR),
                "the file of the output");
        noteStream(
                notes,
                JobSetting.Input.class,
                JobSetting.Input::path,
                variables.get(StandardStreams.INPUT),
                "no input");
        if (read.dialects().size() > 1) {
            notes.add("the script contains directives of several workload managers; resources are taken from the "
                    + Objects.requireNonNull(read.leadingDialect()).prefix()
                    + " lines; each workload manager reads its other options"
                    + " from its own lines");
        }
        return notes;
    }

    private void noteDifference(
            final List<String> notes,
            final Class<? extends JobSetting> kind,
            final String what,
            final @Nullable Object used,
            final @Nullable Object inScript) {
        if (inScript == null || inScript.equals(used)) {
            return;
        }
        notes.add(
                what + ": using " + used + " from the submission instead of " + inScript + " (" + location(kind) + ")");
    }

    /** The file in the job's directory that the script names for a standard stream; null if it names none. */
    <S extends JobSetting> @Nullable String stream(
            final Class<S> setting, final Function<S, String> path, final String directory) {
        return last(setting)
                .map(option -> StandardStreams.ofDirective(
                        path.apply(setting.cast(option.setting())), option.dialect(), directory))
                .orElse(null);
    }

    private <S extends JobSetting> void noteStream(
            final List<String> notes,
            final Class<S> setting,
            final Function<S, String> path,
            final @Nullable String used,
            final String instead) {
        last(setting)
                .filter(option -> !path.apply(setting.cast(option.setting())).equals(used))
                .ifPresent(option -> notes.add(option.where() + ": using " + (used == null ? instead : "'" + used + "'")
                        + " in the directory of the job"));
    }

    private Optional<ScriptOption> last(final Class<? extends JobSetting> setting) {
        return read.of(read.leadingDialect()).stream()
                .filter(option -> setting.isInstance(option.setting()))
                .reduce((first, second) -> second);
    }

    /** The field of the request that sets an option, for messages. */
    String field(final Class<? extends JobSetting> kind) {
        return last(kind).filter(ScriptOption::isOfCommandLine).isPresent() ? "options" : "script";
    }

    /** The script line, or the option of the command line, that sets an option, for messages. */
    String location(final Class<? extends JobSetting> kind) {
        return last(kind).map(ScriptOption::where).orElse("script directives");
    }
}
