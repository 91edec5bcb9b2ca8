package io.millrace.submit.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.IfLate;
import io.millrace.model.job.JobSpec;
import io.millrace.script.Asked;
import io.millrace.script.Software;
import io.millrace.script.Wish;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns what was sent into a job, or says of every wrong field what is wrong with it. */
public final class JobCheck {

    /** Longest name of a job, in characters. */
    static final int MAX_NAME = 255;
    /** Longest environment in bytes of UTF-8, names and values together. */
    static final int MAX_ENVIRONMENT_BYTES = 64 * 1024;

    private static final int MAX_PATH = 4096;
    private static final int MAX_COUNT = 10_000_000;
    private static final long MAX_MEMORY_MIB = 1L << 40;
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern SIGNAL = Pattern.compile("[A-Z][A-Z0-9]{1,15}");
    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

    private final AskedJob asked;
    private final Set<ClusterId> known;
    private final boolean arrays;
    private final Directives directives;
    private final List<Refused.Field> wrong = new ArrayList<>();

    private JobCheck(final AskedJob asked, final Set<ClusterId> known, final boolean arrays) {
        this.asked = asked;
        this.known = known;
        this.arrays = arrays;
        this.directives = new Directives(asked.script() == null ? "" : asked.script());
    }

    /**
     * @param known the clusters that have been heard of
     * @throws Refused naming every wrong field
     */
    public static CheckedJob check(final AskedJob asked, final Set<ClusterId> known) {
        return new JobCheck(asked, known, false).check();
    }

    /** The same for a dry run, which shows what an array would be. */
    public static CheckedJob rehearsed(final AskedJob asked, final Set<ClusterId> known) {
        return new JobCheck(asked, known, true).check();
    }

    private CheckedJob check() {
        final String script = script();
        final String name = name();
        final Resources resources = resources();
        final Duration walltime = walltime();
        final PartitionName partition = asked.partition() == null
                ? said(Wish.Partition.class, directives.asked().partition(), PartitionName::of)
                : read("partition", asked.partition(), PartitionName::of);
        final ProjectName project = asked.project() == null
                ? said(Wish.Project.class, directives.asked().project(), ProjectName::of)
                : read("project", asked.project(), ProjectName::of);
        final ClusterId source = cluster("source", asked.source());
        final ClusterId target = cluster("target", asked.target());
        final String directory = directory();
        final Map<String, String> environment = environment();
        final CheckpointMethod checkpoint = checkpoint();
        final String make = asked.make() == null ? null : scriptText("make", asked.make());
        need("source", asked.source());
        wrong.addAll(directives.wrong(arrays));
        if (!wrong.isEmpty()) {
            throw Refused.invalid(wrong);
        }
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
        return new CheckedJob(spec, Objects.requireNonNull(source), directory, target);
    }

    private String script() {
        final List<@Nullable String> command = asked.command();
        if (asked.script() != null && command != null) {
            return no("command", "cannot stand beside 'script': send one of the two", "");
        }
        if (asked.script() != null) {
            return scriptText("script", asked.script());
        }
        if (command == null) {
            return no("script", "is missing: send 'script', or 'command' as a list of words", "");
        }
        if (command.isEmpty() || command.stream().anyMatch(word -> word == null || word.indexOf('\0') >= 0)) {
            return no("command", "must be a list of at least one word, none of them null or with a zero byte", "");
        }
        final String first = String.valueOf(command.getFirst());
        if (first.isEmpty() || first.startsWith("-")) {
            return no("command", "must begin with a program, got '" + first + "'", "");
        }
        final String text =
                CommandScript.of(command.stream().map(String::valueOf).toList());
        return fits(text) ? text : no("command", tooLong(text), "");
    }

    private @Nullable Duration walltime() {
        if (asked.walltime() != null) {
            return read("walltime", asked.walltime(), Walltime::parse);
        }
        final Duration said = directives.asked().walltime();
        if (said == null) {
            return no(
                    "walltime",
                    directives.asked().unlimited()
                            ? "is unlimited in the script: Millrace plans with limits, so state one"
                            : "is missing: send it, or write it into the script, e.g. #SBATCH --time=1:00:00",
                    null);
        }
        return said.compareTo(Walltime.LONGEST) > 0
                ? no(
                        "script",
                        directives.where(Wish.Walltime.class) + ": at most " + Walltime.LONGEST.toDays()
                                + " days are taken",
                        null)
                : said;
    }

    private String scriptText(final String field, final String text) {
        if (!text.startsWith("#!") && !(field.equals("script") && directives.any())) {
            return no(field, "must begin with the line of its interpreter, such as #!/bin/sh", "");
        }
        if (text.indexOf('\0') >= 0) {
            return no(field, "holds a zero byte", "");
        }
        return fits(text) ? text : no(field, tooLong(text), "");
    }

    private static boolean fits(final String text) {
        return text.getBytes(StandardCharsets.UTF_8).length <= JobSpec.MAX_SCRIPT_BYTES;
    }

    private static String tooLong(final String text) {
        return "has " + text.getBytes(StandardCharsets.UTF_8).length + " bytes, at most " + JobSpec.MAX_SCRIPT_BYTES
                + " are taken: put large parts into files in the job's directory";
    }

    private String name() {
        final String said = asked.name() == null ? directives.asked().name() : asked.name();
        final String name = said == null ? defaultName() : said;
        if (name.isBlank() || name.length() > MAX_NAME || CONTROL.matcher(name).find()) {
            return no("name", "must have 1 to " + MAX_NAME + " printable characters", "");
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
        final Asked said = directives.asked();
        if (asked.script() == null) {
            need("cores", asked.cores());
        }
        final Integer saidCores = said.cores() == null && asked.script() != null ? Integer.valueOf(1) : said.cores();
        final int cores = (int) within("cores", first(asked.cores(), saidCores), 1, MAX_COUNT);
        final boolean fits = said.nodes() != null && said.nodes() <= cores;
        final int nodes = (int) within("nodes", first(asked.nodes(), fits ? said.nodes() : null), 0, MAX_COUNT);
        final long memory = within("memory_mib", first(asked.memory_mib(), said.memory_mib()), 0, MAX_MEMORY_MIB);
        final int gpus = (int) within("gpus", first(asked.gpus(), said.gpus()), 0, MAX_COUNT);
        if (nodes > cores && cores > 0) {
            no("nodes", "cannot be more than cores: " + nodes + " nodes for " + cores + " cores", 0);
        }
        return new Resources(cores, nodes, memory, gpus);
    }

    private static @Nullable Number first(final @Nullable Number sent, final @Nullable Number said) {
        return sent == null ? said : sent;
    }

    private long within(final String field, final @Nullable Number value, final long from, final long to) {
        if (value == null) {
            return 0;
        }
        final long number = value.longValue();
        return number >= from && number <= to
                ? number
                : no(field, "must be between " + from + " and " + to + ", got " + number, 0L);
    }

    private @Nullable ClusterId cluster(final String field, final @Nullable String name) {
        final ClusterId cluster = read(field, name, ClusterId::of);
        if (cluster != null && !known.contains(cluster)) {
            return no(
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
            return no("directory", "is missing", "");
        }
        if (!directory.startsWith("/")
                || directory.length() > MAX_PATH
                || CONTROL.matcher(directory).find()) {
            return no("directory", "must be an absolute path of at most " + MAX_PATH + " printable characters", "");
        }
        final String normal = Path.of(directory).normalize().toString();
        return normal.equals("/") ? no("directory", "cannot be the root of the file system", "") : normal;
    }

    private Map<String, String> environment() {
        final Map<String, @Nullable String> all =
                new HashMap<>(directives.asked().environment());
        software(all);
        if (asked.environment() != null) {
            all.putAll(asked.environment());
        }
        final Map<String, String> variables = new HashMap<>();
        long bytes = 0;
        for (final Map.Entry<String, @Nullable String> entry : all.entrySet()) {
            final String value = entry.getValue();
            if (!VARIABLE.matcher(entry.getKey()).matches() || value == null || value.indexOf('\0') >= 0) {
                no("environment." + entry.getKey(), "must be a variable's name with a text without zero bytes", 0);
            } else {
                variables.put(entry.getKey(), value);
                bytes += entry.getKey().length() + value.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return bytes <= MAX_ENVIRONMENT_BYTES
                ? variables
                : no(
                        "environment",
                        "has " + bytes + " bytes, at most " + MAX_ENVIRONMENT_BYTES + " are taken",
                        variables);
    }

    /** The names travel as a variable, which the script sees too. */
    private void software(final Map<String, @Nullable String> variables) {
        final List<@Nullable String> names = asked.software();
        if (names == null || names.isEmpty()) {
            return;
        }
        for (final String name : names) {
            if (name == null || !Software.isName(name)) {
                no("software", "'" + name + "' is no name of a software: letters, digits and . _ + - / are taken", 0);
                return;
            }
        }
        variables.put(
                Software.VARIABLE,
                String.join(" ", names.stream().map(String::valueOf).toList()));
    }

    private CheckpointMethod checkpoint() {
        final AskedJob.Checkpoint wanted = asked.checkpoint();
        if (wanted == null) {
            return new CheckpointMethod.None();
        }
        need("checkpoint.grace", wanted.grace());
        final Duration read = read("checkpoint.grace", wanted.grace(), Walltime::parse);
        final Duration grace = read == null ? Duration.ZERO : read;
        final IfLate ifLate = switch (Objects.requireNonNullElse(wanted.ifLate(), "leave")) {
            case "leave" -> IfLate.LEAVE;
            case "wait" -> IfLate.WAIT;
            case "requeue" -> IfLate.REQUEUE;
            default -> no("checkpoint.ifLate", "must be leave, wait or requeue", IfLate.LEAVE);
        };
        return switch (Objects.requireNonNullElse(wanted.method(), "application")) {
            case "application" -> application(wanted, grace, ifLate);
            case "native" -> new CheckpointMethod.Native(grace, ifLate);
            case "criu" -> new CheckpointMethod.Criu(grace, ifLate);
            default -> no("checkpoint.method", "must be application, native or criu", new CheckpointMethod.None());
        };
    }

    private CheckpointMethod application(final AskedJob.Checkpoint wanted, final Duration grace, final IfLate ifLate) {
        final String signal = wanted.signal();
        final String marker = wanted.marker();
        if (signal == null || !SIGNAL.matcher(signal).matches()) {
            return no(
                    "checkpoint.signal",
                    "must be a signal's name without SIG, such as USR1",
                    new CheckpointMethod.None());
        }
        if (marker == null
                || marker.isBlank()
                || marker.startsWith("/")
                || CONTROL.matcher(marker).find()
                || Path.of(marker).normalize().startsWith("..")) {
            return no(
                    "checkpoint.marker", "must be a file name below the job's directory", new CheckpointMethod.None());
        }
        return new CheckpointMethod.Application(signal, marker, grace, ifLate);
    }

    private void need(final String field, final @Nullable Object value) {
        if (value == null) {
            no(field, "is missing", 0);
        }
    }

    private <T> @Nullable T read(final String field, final @Nullable String text, final Function<String, T> reader) {
        if (text == null) {
            return null;
        }
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            return no(field, String.valueOf(e.getMessage()), null);
        }
    }

    private <T> @Nullable T said(
            final Class<? extends Wish> kind, final @Nullable String text, final Function<String, T> reader) {
        if (text == null) {
            return null;
        }
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException e) {
            return no("script", directives.where(kind) + ": " + e.getMessage(), null);
        }
    }

    private <T extends @Nullable Object> T no(final String field, final String because, final T instead) {
        wrong.add(new Refused.Field(field, because));
        return instead;
    }
}
