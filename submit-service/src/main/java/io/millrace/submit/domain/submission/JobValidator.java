package io.millrace.submit.domain.submission;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.Text;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.TargetRequest;
import io.millrace.model.transfer.FilterRule;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.WalltimeText;
import io.millrace.script.directive.ScriptRequest;
import io.millrace.submit.domain.RequestRefused;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Validates a job request and collects an error for every invalid field. */
public final class JobValidator {

    /** Maximum length of a job name in characters. */
    static final int MAX_NAME = 255;

    static final String NAME_RULE = "must have 1 to " + MAX_NAME + " printable characters";

    private static final int MAX_PATH = 4096;
    private static final int MAX_RULES = 100;
    static final int MAX_COUNT = 10_000_000;
    private static final long MAX_MEMORY_MIB = 1L << 40;

    private final JobRequest request;
    private final Set<ClusterId> known;
    private final NamedJobs jobs;
    private final ScriptDirectives directives;
    private final ValidationErrors errors = new ValidationErrors();

    private JobValidator(
            final JobRequest jobRequest,
            final Set<ClusterId> known,
            final Supplier<LsfMemory> lsfMemory,
            final NamedJobs jobs) {
        this.request = jobRequest;
        this.known = known;
        this.jobs = jobs;
        this.directives = directives(jobRequest, lsfMemory);
    }

    private ScriptDirectives directives(final JobRequest jobRequest, final Supplier<LsfMemory> lsfMemory) {
        final ScriptDirectives read =
                new ScriptDirectives(jobRequest.script() == null ? "" : jobRequest.script(), jobRequest.optionWords());
        if (!read.dependsOnLsfMemory() || jobRequest.memoryMib() != null) {
            return read;
        }
        final LsfMemory rule = lsfMemory.get();
        final Optional<Boolean> slots = rule.countsSlots(jobRequest.target(), jobRequest.source());
        if (slots.isEmpty()) {
            errors.add(
                    "script",
                    read.location(JobSetting.Memory.class) + ": rusage[mem=…] is for each slot on " + rule.perSlot()
                            + ", and for each host on " + rule.perHost() + "; write mem=…/task or mem=…/host",
                    read);
        }
        return slots.orElse(false) ? read.withMemoryPerSlot() : read;
    }

    /**
     * @param known the clusters of the site
     * @throws RequestRefused naming every invalid field
     */
    public static ValidJob validate(final JobRequest jobRequest, final Set<ClusterId> known) {
        return validate(jobRequest, known, () -> LsfMemory.DEFAULT, id -> id);
    }

    /**
     * @param known the clusters of the site
     * @param lsfMemory queried if the script has such a request
     * @param jobs queried if the job depends on others
     * @throws RequestRefused naming every invalid field
     */
    public static ValidJob validate(
            final JobRequest jobRequest,
            final Set<ClusterId> known,
            final Supplier<LsfMemory> lsfMemory,
            final NamedJobs jobs) {
        return new JobValidator(jobRequest, known, lsfMemory, jobs).validate();
    }

    private ValidJob validate() {
        final String script = new ScriptValidator(request, directives, errors).script();
        final String name = name();
        final Resources resources = resources();
        final Duration walltime = walltime();
        final PartitionName partition = request.partition() == null
                ? fromScript(JobSetting.Partition.class, directives.requested().partition(), PartitionName::of)
                : errors.read("partition", request.partition(), PartitionName::of);
        final ProjectName project = request.project() == null
                ? fromScript(JobSetting.Project.class, directives.requested().project(), ProjectName::of)
                : errors.read("project", request.project(), ProjectName::of);
        final ClusterId source = TargetValidator.cluster("source", request.source(), known, errors);
        final ClusterId target = TargetValidator.cluster("target", request.target(), known, errors);
        final String directory = directory();
        final Map<String, String> environment =
                new EnvironmentValidator(request, directory, directives, errors).environment();
        final CheckpointMethod checkpoint = new CheckpointValidator(request.checkpoint(), errors).method();
        final String make = new ScriptValidator(request, directives, errors).make();
        final List<String> arguments = new ScriptValidator(request, directives, errors).arguments();
        errors.require("source", request.source());
        final BatchValidator batch = new BatchValidator(request, directives, errors);
        final TaskArray array = batch.array();
        final List<String> directories = batch.directories();
        final RequestedDependency dependency = batch.dependency(array != null || !directories.isEmpty(), jobs);
        final TargetRequest targets = new TargetValidator(request, directives, known, errors).request(environment);
        final FileFilters files = new FileFilters(
                filter("inputFilter", request.inputFilter()), filter("resultFilter", request.resultFilter()));
        errors.addAll(directives.errors());
        errors.throwIfAny();
        final JobSpec spec = new JobSpec(
                name,
                script,
                make,
                resources,
                Objects.requireNonNull(walltime),
                partition,
                project,
                environment,
                checkpoint,
                Boolean.TRUE.equals(request.strict()),
                arguments);
        batch.checkSize(
                spec,
                Math.max(directories.size(), array == null ? 0 : array.indices().size()));
        errors.throwIfAny();
        return new ValidJob(
                spec,
                Objects.requireNonNull(source),
                directory,
                target,
                array,
                directories,
                dependency.dependency(),
                dependency.corresponding(),
                targets,
                files,
                directives.option(JobSetting.Hold.class) != null);
    }

    private List<FilterRule> filter(final String field, final @Nullable List<@Nullable String> rules) {
        if (rules == null) {
            return List.of();
        }
        if (rules.size() > MAX_RULES) {
            return errors.add(field, "has at most " + MAX_RULES + " rules, got " + rules.size(), List.of());
        }
        return rules.stream()
                .map(rule -> errors.read(field, Objects.requireNonNullElse(rule, ""), FilterRule::of))
                .filter(Objects::nonNull)
                .toList();
    }

    private @Nullable Duration walltime() {
        if (request.walltime() != null) {
            return errors.read("walltime", request.walltime(), WalltimeText::parse);
        }
        final Duration fromScript = directives.requested().walltime();
        if (fromScript == null) {
            return errors.add(
                    "walltime",
                    directives.requested().unlimited()
                            ? "is unlimited in the script; set a limit, which Millrace needs for planning"
                            : "is missing; set it in the request or in the script, e.g. #SBATCH --time=1:00:00",
                    null);
        }
        return fromScript.compareTo(WalltimeText.LONGEST) > 0
                ? errors.add(
                        directives.field(JobSetting.Walltime.class),
                        directives.location(JobSetting.Walltime.class) + ": walltime must be at most "
                                + WalltimeText.LONGEST.toDays() + " days",
                        null)
                : fromScript;
    }

    private String name() {
        final String requested = request.name() == null ? directives.requested().name() : request.name();
        final String name = requested == null ? defaultName() : requested;
        return isName(name) ? name : errors.add("name", NAME_RULE, "");
    }

    static boolean isName(final String name) {
        return !name.isBlank() && name.length() <= MAX_NAME && Text.isPlain(name);
    }

    private String defaultName() {
        final List<@Nullable String> command = request.command();
        if (command == null || command.isEmpty()) {
            return request.scriptName() == null ? "job" : request.scriptName();
        }
        final String program = String.valueOf(command.getFirst());
        final String name = program.substring(program.lastIndexOf('/') + 1);
        return isName(name) ? name : "job";
    }

    private Resources resources() {
        final ScriptRequest fromScript = directives.requested();
        if (request.cores() == null && directives.unreadSize() != null) {
            errors.add("cores", "is missing; " + directives.unreadSize(), 0);
        }
        final int cores =
                (int) errors.range("cores", first(first(request.cores(), fromScript.cores()), 1), 1, MAX_COUNT);
        consistent(
                "cores",
                request.cores(),
                fromScript.cores(),
                directives.option(JobSetting.Cores.class) == null
                        ? JobSetting.CoresPerTask.class
                        : JobSetting.Cores.class);
        consistent("nodes", request.nodes(), fromScript.nodes(), JobSetting.Nodes.class);
        consistent("memoryMib", request.memoryMib(), fromScript.memoryMib(), JobSetting.Memory.class);
        consistent("gpus", request.gpus(), fromScript.gpus(), JobSetting.Gpus.class);
        final boolean fits = fromScript.nodes() != null && fromScript.nodes() <= cores;
        final int nodes =
                (int) errors.range("nodes", first(request.nodes(), fits ? fromScript.nodes() : null), 0, MAX_COUNT);
        final long memory =
                errors.range("memoryMib", first(request.memoryMib(), fromScript.memoryMib()), 0, MAX_MEMORY_MIB);
        final int gpus = (int) errors.range("gpus", first(request.gpus(), fromScript.gpus()), 0, MAX_COUNT);
        final Class<? extends JobSetting> ofGpus = perGpu();
        if (gpus == 0 && ofGpus != null) {
            errors.add(
                    directives.field(ofGpus),
                    directives.location(ofGpus) + ": requires GPUs; request them with --gpus",
                    0);
        }
        if (nodes > cores && cores > 0) {
            errors.add("nodes", "must not exceed 'cores': " + nodes + " nodes requested for " + cores + " cores", 0);
        }
        return new Resources(cores, nodes, memory, gpus);
    }

    /** The option that requires GPUs; null if none does. */
    private @Nullable Class<? extends JobSetting> perGpu() {
        final ScriptOption memory = directives.option(JobSetting.Memory.class);
        if (memory != null && memory.setting() instanceof JobSetting.Memory of && of.per() == JobSetting.Per.GPU) {
            return JobSetting.Memory.class;
        }
        return directives.option(JobSetting.CoresPerGpu.class) == null ? null : JobSetting.CoresPerGpu.class;
    }

    /** A field and an option of the same command line must not contradict each other. */
    private void consistent(
            final String field,
            final @Nullable Number sent,
            final @Nullable Number inOptions,
            final Class<? extends JobSetting> kind) {
        final ScriptOption option = directives.option(kind);
        if (option != null
                && option.isOfCommandLine()
                && sent != null
                && inOptions != null
                && sent.longValue() != inOptions.longValue()) {
            errors.add(
                    field,
                    "is " + sent + ", but " + option.where() + " requests " + inOptions + "; keep one of them",
                    0);
        }
    }

    private static @Nullable Number first(final @Nullable Number sent, final @Nullable Number otherwise) {
        return sent == null ? otherwise : sent;
    }

    /** The directory of the request, or the one that an option or the script names, which can be relative to it. */
    private String directory() {
        final String base = request.directory();
        if (base == null) {
            return errors.add("directory", "is missing", "");
        }
        final ScriptOption option = directives.option(JobSetting.WorkingDirectory.class);
        final String directory = directory("directory", "", base);
        return option == null || directory.isEmpty()
                ? directory
                : directory(
                        directives.field(JobSetting.WorkingDirectory.class),
                        option.where() + ": ",
                        ((JobSetting.WorkingDirectory) option.setting()).in(directory));
    }

    private String directory(final String field, final String where, final String directory) {
        if (!directory.startsWith("/") || directory.length() > MAX_PATH || !Text.isPlain(directory)) {
            return errors.add(
                    field, where + "must be an absolute path of at most " + MAX_PATH + " printable characters", "");
        }
        final String normal = Path.of(directory).normalize().toString();
        return normal.equals("/") ? errors.add(field, where + "must not be the root directory", "") : normal;
    }

    private <T> @Nullable T fromScript(
            final Class<? extends JobSetting> kind, final @Nullable String text, final Function<String, T> reader) {
        if (text == null) {
            return null;
        }
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            return errors.add(directives.field(kind), directives.location(kind) + ": " + e.getMessage(), null);
        }
    }
}
