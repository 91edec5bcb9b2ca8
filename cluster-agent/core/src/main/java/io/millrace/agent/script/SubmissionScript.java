package io.millrace.agent.script;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.ClusterId;
import io.millrace.model.command.DryRunResult;
import io.millrace.script.ArrayTask;
import io.millrace.script.ScriptOption;
import io.millrace.script.Software;
import io.millrace.script.StandardStreams;
import io.millrace.script.TaskLayout;
import io.millrace.script.VariableName;
import io.millrace.script.WlmFeatures;
import io.millrace.script.WlmType;
import io.millrace.script.directive.ParsedScript;
import io.millrace.script.directive.ScriptParser;
import io.millrace.script.translation.Translation;
import io.millrace.script.wrapper.ForeignCommands;
import io.millrace.script.wrapper.JobPreamble;
import io.millrace.script.wrapper.JobWrapper;
import io.millrace.script.wrapper.PathReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A submission, translated for one workload manager. Submit and dry run use the same translation. */
public final class SubmissionScript {
    private static final String STRICT = "strict, and ";
    private static final String CANNOT_RUN = ") cannot run the job as described: ";

    private final WlmType wlm;
    private final ClusterId cluster;
    private final Submission submission;
    private final ParsedScript read;
    private final Translation translation;
    private final List<String> modules = new ArrayList<>();
    private final List<String> lost = new ArrayList<>();

    private SubmissionScript(
            final WlmType wlm, final WlmFeatures abilities, final ClusterId cluster, final Submission submission) {
        this.wlm = wlm;
        this.cluster = cluster;
        this.submission = submission;
        this.read = ScriptParser.of(submission.spec());
        this.translation = Translation.of(wlm, abilities, submission.spec(), read);
        lost.addAll(translation.unsupported());
        for (final String software : Software.of(submission.spec())) {
            final List<String> known = submission.modules().get(software);
            if (known == null) {
                lost.add("software '" + software + "': " + cluster + " names no modules for it");
            } else {
                modules.addAll(known);
            }
        }
    }

    public static SubmissionScript of(
            final WlmType wlm, final WlmFeatures abilities, final ClusterId cluster, final Submission submission) {
        return new SubmissionScript(wlm, abilities, cluster, submission);
    }

    /** Native options beyond name, partition, project, walltime and resources; see {@link Translation#options}. */
    public List<String> options() {
        return translation.options();
    }

    /** Native options for cores, nodes, memory and GPUs, split as the script requests; see {@link Translation#resources}. */
    public List<String> resources() {
        return translation.resources();
    }

    public TaskLayout layout() {
        return translation.layout();
    }

    /** Whether a {@link #refusal} is due to an option for which the workload manager has no equivalent. */
    public static boolean hasNoEquivalent(final String refusal) {
        return refusal.startsWith(STRICT) || refusal.contains(CANNOT_RUN);
    }

    /** Why the job must not be submitted; empty if it may. */
    public Optional<String> refusal() {
        for (final String name : submission.spec().environment().keySet()) {
            if (!VariableName.isValid(name)) {
                return Optional.of("'" + name
                        + "' cannot be a variable of a job; use letters, digits and underscores, no digit first");
            }
        }
        if (Objects.requireNonNullElse(submission.spec().arguments(), List.<String>of()).stream()
                .anyMatch(argument -> argument.indexOf('\0') >= 0)) {
            return Optional.of("an argument of the script contains a zero byte");
        }
        final ScriptOption array = read.request().array();
        if (array != null && !ArrayTask.isTask(submission.spec().environment())) {
            return Optional.of(array.where() + ": a global job cannot be an array; submit a batch, as mgsub does");
        }
        if (!read.problems().isEmpty()) {
            return Optional.of(read.problems().getFirst().toString());
        }
        if (!translation.essential().isEmpty()) {
            return Optional.of(
                    cluster + " (" + wlm.displayName() + CANNOT_RUN + String.join("; ", translation.essential()));
        }
        return submission.spec().strict() && !lost.isEmpty()
                ? Optional.of(STRICT + cluster + " (" + wlm.displayName() + ") has no equivalent for: "
                        + String.join("; ", lost))
                : Optional.empty();
    }

    public StandardStreams streams() {
        return StandardStreams.of(submission.spec(), submission.attempt(), cluster, submission.owner());
    }

    /**
     * The batch script: a prologue, then the user's script unchanged.
     *
     * @param nonce a random string that cannot be guessed, letters and digits only
     */
    public String script(final String nonce) {
        final String prologue = JobPreamble.of(
                wlm,
                read,
                submission.spec(),
                translation.layout(),
                cluster,
                submission.attempt(),
                submission.directory(),
                streams(),
                modules);
        return JobWrapper.of(
                umask() + prologue,
                submission.spec().script(),
                Objects.requireNonNullElse(submission.spec().arguments(), List.of()),
                nonce,
                translation.shell());
    }

    /** The line that sets the umask; empty if an option of the script sets it. */
    private String umask() {
        return submission.umask() == null || options().stream().anyMatch(word -> word.startsWith("umask="))
                ? ""
                : "umask " + submission.umask() + "\n";
    }

    /** {@link #script} as bytes for standard input. */
    public byte[] input(final String nonce) {
        return script(nonce).getBytes(StandardCharsets.UTF_8);
    }

    /**
     * The result of a dry run.
     *
     * @param command the command that submit would run
     * @param asOwner runs commands with the owner's rights
     */
    public Answer<DryRunResult> dryRun(final CommandLine<?> command, final Runner asOwner) {
        return dryRun(command.argv(), new String(command.input(), StandardCharsets.UTF_8), asOwner);
    }

    public Answer<DryRunResult> dryRun(final List<String> argv, final String script, final Runner asOwner) {
        final List<String> remarks = new ArrayList<>(translation.remarks());
        refusal().ifPresent(because -> remarks.add("it would be refused: " + because));
        remarks.addAll(ForeignCommands.find(submission.spec().script(), wlm));
        if (!modules.isEmpty()) {
            remarks.add("modules that will be loaded: " + String.join(", ", modules));
        }
        final List<PathReference> paths = PathReference.find(submission.spec().script());
        if (paths.isEmpty()) {
            return Answer.ok(new DryRunResult(argv, script, lost, remarks));
        }
        return asOwner.run(new PathLookup(PathLookup.candidates(paths))).map(there -> {
            remarks.addAll(missing(paths, there));
            return new DryRunResult(argv, script, lost, remarks);
        });
    }

    private List<String> missing(final List<PathReference> paths, final Set<String> there) {
        return paths.stream()
                .filter(path -> !there.contains(path.path()))
                .map(path -> "line " + path.line() + ": " + path.path() + " does not exist on " + cluster
                        + " for " + submission.owner()
                        + (there.contains(path.parent()) ? " (its folder does)" : ""))
                .toList();
    }
}
