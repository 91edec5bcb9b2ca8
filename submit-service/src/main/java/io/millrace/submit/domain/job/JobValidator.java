package io.millrace.submit.domain.job;

import io.millrace.submit.domain.RequestRefused;
import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.script.directive.ScriptRequest;
import io.millrace.script.JobSetting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns what was sent into a job, or says of every wrong field what is wrong with it. */
public final class JobValidator {

    /** Longest name of a job, in characters. */
    static final int MAX_NAME = 255;

    private static final int MAX_PATH = 4096;
    private static final int MAX_COUNT = 10_000_000;
    private static final long MAX_MEMORY_MIB = 1L << 40;
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private final JobRequest asked;
    private final Set<ClusterId> known;
    private final boolean arrays;
    private final ScriptDirectives directives;
    private final ValidationErrors wrong = new ValidationErrors();

    private JobValidator(final JobRequest asked, final Set<ClusterId> known, final boolean arrays) {
        this.asked = asked;
        this.known = known;
        this.arrays = arrays;
        this.directives = new ScriptDirectives(asked.script() == null ? "" : asked.script());
    }

    /**
     * @param known the clusters that have been heard of
     * @throws RequestRefused naming every wrong field
     */
    public static ValidJob check(final JobRequest asked, final Set<ClusterId> known) {
        return new JobValidator(asked, known, false).check();
    }

    /** The same for a dry run, which shows what an array would be. */
    public static ValidJob rehearsed(final JobRequest asked, final Set<ClusterId> known) {
        return new JobValidator(asked, known, true).check();
    }

    private ValidJob check() {
        final String script = new ScriptValidator(asked, directives, wrong).script();
        final String name = name();
        final Resources resources = resources();
        final Duration walltime = walltime();
        final PartitionName partition = asked.partition() == null
                ? said(JobSetting.Partition.class, directives.asked().partition(), PartitionName::of)
                : wrong.read("partition", asked.partition(), PartitionName::of);
        final ProjectName project = asked.project() == null
                ? said(JobSetting.Project.class, directives.asked().project(), ProjectName::of)
                : wrong.read("project", asked.project(), ProjectName::of);
        final ClusterId source = cluster("source", asked.source());
        final ClusterId target = cluster("target", asked.target());
        final String directory = directory();
        final Map<String, String> environment = new EnvironmentValidator(asked, directives, wrong).environment();
        final CheckpointMethod checkpoint = new CheckpointValidator(asked.checkpoint(), wrong).method();
        final String make = new ScriptValidator(asked, directives, wrong).make();
        wrong.need("source", asked.source());
        wrong.addAll(directives.wrong(arrays));
        wrong.refuse();
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
                Boolean.TRUE.equals(asked.strict()));
        return new ValidJob(spec, Objects.requireNonNull(source), directory, target);
    }

    private @Nullable Duration walltime() {
        if (asked.walltime() != null) {
            return wrong.read("walltime", asked.walltime(), WalltimeText::parse);
        }
        final Duration said = directives.asked().walltime();
        if (said == null) {
            return wrong.no(
                    "walltime",
                    directives.asked().unlimited()
                            ? "is unlimited in the script: Millrace plans with limits, so state one"
                            : "is missing: send it, or write it into the script, e.g. #SBATCH --time=1:00:00",
                    null);
        }
        return said.compareTo(WalltimeText.LONGEST) > 0
                ? wrong.no(
                        "script",
                        directives.where(JobSetting.Walltime.class) + ": at most " + WalltimeText.LONGEST.toDays()
                                + " days are taken",
                        null)
                : said;
    }

    private String name() {
        final String said = asked.name() == null ? directives.asked().name() : asked.name();
        final String name = said == null ? defaultName() : said;
        if (name.isBlank() || name.length() > MAX_NAME || CONTROL.matcher(name).find()) {
            return wrong.no("name", "must have 1 to " + MAX_NAME + " printable characters", "");
        }
        return name;
    }

    private String defaultName() {
        final List<@Nullable String> command = asked.command();
        if (command == null || command.isEmpty()) {
            return asked.scriptName() == null ? "job" : asked.scriptName();
        }
        final String program = String.valueOf(command.getFirst());
        final String name = program.substring(program.lastIndexOf('/') + 1);
        return name.isBlank()
                        || name.length() > MAX_NAME
                        || CONTROL.matcher(name).find()
                ? "job"
                : name;
    }

    private Resources resources() {
        final ScriptRequest said = directives.asked();
        if (asked.script() == null) {
            wrong.need("cores", asked.cores());
        }
        final Integer saidCores = said.cores() == null && asked.script() != null ? Integer.valueOf(1) : said.cores();
        final int cores = (int) wrong.within("cores", first(asked.cores(), saidCores), 1, MAX_COUNT);
        final boolean fits = said.nodes() != null && said.nodes() <= cores;
        final int nodes = (int) wrong.within("nodes", first(asked.nodes(), fits ? said.nodes() : null), 0, MAX_COUNT);
        final long memory = wrong.within("memoryMib", first(asked.memoryMib(), said.memoryMib()), 0, MAX_MEMORY_MIB);
        final int gpus = (int) wrong.within("gpus", first(asked.gpus(), said.gpus()), 0, MAX_COUNT);
        if (nodes > cores && cores > 0) {
            wrong.no("nodes", "cannot be more than cores: " + nodes + " nodes for " + cores + " cores", 0);
        }
        return new Resources(cores, nodes, memory, gpus);
    }

    private static @Nullable Number first(final @Nullable Number sent, final @Nullable Number said) {
        return sent == null ? said : sent;
    }

    private @Nullable ClusterId cluster(final String field, final @Nullable String name) {
        final ClusterId cluster = wrong.read(field, name, ClusterId::of);
        if (cluster != null && !known.contains(cluster)) {
            return wrong.no(
                    field,
                    "names cluster '" + cluster + "', which is not known; known are "
                            + known.stream().sorted().toList(),
                    cluster);
        }
        return cluster;
    }

    private String directory() {
        final String directory = asked.directory();
        if (directory == null) {
            return wrong.no("directory", "is missing", "");
        }
        if (!directory.startsWith("/")
                || directory.length() > MAX_PATH
                || CONTROL.matcher(directory).find()) {
            return wrong.no(
                    "directory", "must be an absolute path of at most " + MAX_PATH + " printable characters", "");
        }
        final String normal = Path.of(directory).normalize().toString();
        return normal.equals("/") ? wrong.no("directory", "cannot be the root of the file system", "") : normal;
    }

    private <T> @Nullable T said(
            final Class<? extends JobSetting> kind, final @Nullable String text, final Function<String, T> reader) {
        if (text == null) {
            return null;
        }
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            return wrong.no("script", directives.where(kind) + ": " + e.getMessage(), null);
        }
    }
}
