package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.directive.OptionFile.Parsers;
import io.millrace.script.directive.OptionTable.ParsedValue;
import io.millrace.script.directive.OptionTable.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The options of {@code sbatch}, see sbatch(1). */
final class SlurmOptions {

    static final OptionTable TABLE = table();

    private static final Pattern NODES = Pattern.compile("(\\d{1,7})([kKmM]?)(?:-(\\d{1,7})([kKmM]?)(?::\\d{1,7})?)?");
    private static final int MOST_GPUS = 1_000_000;

    private static final Pattern SIGNAL = Pattern.compile("(?:([RB]{1,2}):)?([A-Za-z0-9+-]{1,12})(?:@(\\d{1,5}))?");

    private SlurmOptions() {}

    private static OptionTable table() {
        final Parsers parsers = new Parsers()
                .value("--job-name", JobSetting.Name::new)
                .value("--ntasks", text -> new JobSetting.Cores(Quantities.positive(text, "tasks")))
                .value("--nodes", SlurmOptions::nodes)
                .value(
                        "--ntasks-per-node",
                        text -> new JobSetting.TasksPerNode(Quantities.positive(text, "tasks per node")))
                .value(
                        "--cpus-per-task",
                        text -> new JobSetting.CoresPerTask(Quantities.positive(text, "cores per task")))
                .value(
                        "--ntasks-per-gpu",
                        text -> new JobSetting.TasksPerGpu(Quantities.positive(text, "tasks per GPU")))
                .value("--cpus-per-gpu", text -> new JobSetting.CoresPerGpu(Quantities.positive(text, "cores per GPU")))
                .value("--mem", SlurmOptions::memory)
                .value("--mem-per-cpu", text -> new JobSetting.Memory(Quantities.slurmSize(text), JobSetting.Per.CORE))
                .value("--mem-per-gpu", text -> new JobSetting.Memory(Quantities.slurmSize(text), JobSetting.Per.GPU))
                .value("--gpus", text -> gpus(text, JobSetting.Per.JOB))
                .value("--gpus-per-node", text -> gpus(text, JobSetting.Per.NODE))
                .value("--gpus-per-task", text -> gpus(text, JobSetting.Per.TASK))
                .values("--gres", SlurmOptions::gres)
                .value("--hint", SlurmOptions::hint)
                .value("--time", text -> new JobSetting.Walltime(Quantities.slurmTime(text)))
                .value("--array", ArrayIndices::slurm);
        whenAndWhere(parsers);
        inAndOut(parsers);
        return OptionFile.read(Style.LONG_AND_SHORT, "slurm.txt", parsers);
    }

    private static void whenAndWhere(final Parsers parsers) {
        parsers.value("--partition", text -> new JobSetting.Partition(list(text)))
                .value("--clusters", text -> new JobSetting.Clusters(list(text)))
                .value("--account", JobSetting.Project::new)
                .value("--dependency", Dependencies::slurm)
                .value("--constraint", JobSetting.Feature::new)
                .value("--exclusive", SlurmOptions::exclusive)
                .flag("--oversubscribe", new JobSetting.Exclusive(false))
                .values("--licenses", SlurmOptions::licences)
                .value("--begin", BeginTimes::slurm)
                .flag("--hold", new JobSetting.Hold())
                .value("--qos", JobSetting.QualityOfService::new)
                .value("--reservation", JobSetting.Reservation::new)
                .value("--nodelist", text -> hosts(text, true))
                .value("--exclude", text -> hosts(text, false));
    }

    private static void inAndOut(final Parsers parsers) {
        parsers.value("--chdir", SlurmOptions::directory)
                .value("--output", JobSetting.Output::new)
                .value("--error", JobSetting.Error::new)
                .value("--input", JobSetting.Input::new)
                .value("--mail-type", SlurmOptions::mailType)
                .value("--mail-user", text -> new JobSetting.Mail(List.of(), text))
                .value("--export", SlurmOptions::export)
                .values("--requeue", SlurmOptions::requeue)
                .flag("--no-requeue", new JobSetting.Rerunnable(false))
                .value("--signal", SlurmOptions::signal);
    }

    /** {@code --requeue}, {@code --requeue=expedite}. */
    private static List<ParsedValue> requeue(final String text) throws DirectiveSyntaxException {
        final ParsedValue requeue = new ParsedValue(null, new JobSetting.Rerunnable(true));
        return switch (text) {
            case "" -> List.of(requeue);
            case "expedite" ->
                List.of(requeue, new ParsedValue(null, new JobSetting.Unsupported("Millrace requeues jobs itself")));
            default -> throw new DirectiveSyntaxException("'" + text + "' is not valid; use --requeue");
        };
    }

    /** Other hints than the default give a process whole cores. */
    private static JobSetting hint(final String text) {
        return text.equals("multithread")
                ? new JobSetting.SystemSpecific(List.of("--hint=multithread"))
                : new JobSetting.Unsupported("whole cores can be more CPUs than granted; use --cpus-per-task");
    }

    static JobSetting directory(final String text) throws DirectiveSyntaxException {
        if (text.isBlank() || text.startsWith("~") || text.contains("$")) {
            throw new DirectiveSyntaxException("'" + text + "' is not a directory; '~' and variables are not expanded");
        }
        return new JobSetting.WorkingDirectory(text);
    }

    private static JobSetting hosts(final String text, final boolean allowed) throws DirectiveSyntaxException {
        if (!text.matches("[\\w.,:\\[\\]-]+")) {
            throw new DirectiveSyntaxException("'" + text + "' is not a list of nodes"
                    + (allowed ? "; name them as in n[1-4],m7" : "; mgsub --exclude-files names files"));
        }
        return new JobSetting.Hosts(list(text), allowed);
    }

    static List<String> list(final String text) throws DirectiveSyntaxException {
        final List<String> names =
                Arrays.stream(text.split(",")).filter(name -> !name.isBlank()).toList();
        if (names.isEmpty()) {
            throw new DirectiveSyntaxException("the list is empty");
        }
        return names;
    }

    /** {@code 2}, {@code 2-4}, or several possible numbers, {@code 1,4-16:4}. The job gets the smallest. */
    private static JobSetting nodes(final String text) throws DirectiveSyntaxException {
        int fewest = Integer.MAX_VALUE;
        for (final String part : text.split(",", -1)) {
            final Matcher m = NODES.matcher(part);
            if (!m.matches()) {
                throw new DirectiveSyntaxException("'" + text + "' is not a valid number of nodes");
            }
            final int least = nodes(text, m.group(1), m.group(2));
            if (m.group(3) != null && nodes(text, m.group(3), m.group(4)) < least) {
                throw new DirectiveSyntaxException(
                        "'" + part + "' is not a valid number of nodes: the maximum is less than the minimum");
            }
            fewest = Math.min(fewest, least);
        }
        return new JobSetting.Nodes(fewest);
    }

    private static int nodes(final String text, final String number, final String unit)
            throws DirectiveSyntaxException {
        final int scale = switch (unit.toLowerCase(Locale.ROOT)) {
            case "k" -> 1024;
            case "m" -> 1024 * 1024;
            default -> 1;
        };
        final long nodes = Long.parseLong(number) * scale;
        if (nodes < 1 || nodes > Integer.MAX_VALUE) {
            throw new DirectiveSyntaxException("'" + text + "' is not a valid number of nodes");
        }
        return (int) nodes;
    }

    private static JobSetting memory(final String text) throws DirectiveSyntaxException {
        return text.matches("0[a-zA-Z]?")
                ? new JobSetting.Unsupported("Millrace cannot grant all memory of a node; specify the amount")
                : new JobSetting.Memory(Quantities.slurmSize(text), JobSetting.Per.NODE);
    }

    /** {@code 2}, {@code a100:2}. */
    private static JobSetting.Gpus gpus(final String text, final JobSetting.Per per) throws DirectiveSyntaxException {
        JobSetting.Gpus all = null;
        for (final String part : text.split(",", -1)) {
            all = sum(all, gpu(part, per));
        }
        return Objects.requireNonNull(all);
    }

    /** {@code a100}, {@code 2}, {@code a100:2}; newer versions of Slurm also write an equals sign. A type contains a letter. */
    private static JobSetting.Gpus gpu(final String text, final JobSetting.Per per) throws DirectiveSyntaxException {
        final int end = Math.max(text.lastIndexOf(':'), text.lastIndexOf('='));
        final String count = text.substring(end + 1);
        final boolean counted = count.matches("\\d{1,6}");
        final String type = counted ? text.substring(0, Math.max(0, end)) : text;
        final boolean typed = type.chars().anyMatch(Character::isLetter) && (counted || type.matches("[\\w.+-]+"));
        if (!typed && (!counted || end >= 0)) {
            throw new DirectiveSyntaxException(
                    "'" + text + "' is not a valid number of GPUs; use a number, or a type as in a100:2");
        }
        return new JobSetting.Gpus(counted ? Integer.parseInt(count) : 1, per, typed ? type : null);
    }

    private static JobSetting.Gpus sum(final JobSetting.@Nullable Gpus first, final JobSetting.Gpus second)
            throws DirectiveSyntaxException {
        if (first == null) {
            return second;
        }
        if (!Objects.equals(first.type(), second.type())) {
            throw new DirectiveSyntaxException("GPUs of several types in one job are not supported; request one type");
        }
        if (first.count() > MOST_GPUS) {
            throw new DirectiveSyntaxException("too many GPUs: more than " + MOST_GPUS);
        }
        return new JobSetting.Gpus(first.count() + second.count(), first.per(), first.type());
    }

    /** {@code lscratch:100,gpu:a100:2}. */
    private static List<ParsedValue> gres(final String text) throws DirectiveSyntaxException {
        JobSetting.Gpus gpus = null;
        final List<String> others = new ArrayList<>();
        for (final String part : text.split(",")) {
            final String name = part.split("[:=]", 2)[0];
            switch (name) {
                case "gpu" ->
                    gpus = sum(
                            gpus,
                            name.equals(part)
                                    ? new JobSetting.Gpus(1, JobSetting.Per.NODE, null)
                                    : gpu(part.substring(name.length() + 1), JobSetting.Per.NODE));
                case "mps", "shard" ->
                    throw new DirectiveSyntaxException("GPU shares are not supported; request whole GPUs");
                default -> {
                    if (!name.matches("[\\w.-]+")) {
                        throw new DirectiveSyntaxException("'" + part + "' is not a generic resource; use name:count");
                    }
                    others.add(part);
                }
            }
        }
        final List<ParsedValue> values = new ArrayList<>();
        if (others.equals(List.of("none"))) {
            values.add(new ParsedValue(null, new JobSetting.Ignored("none")));
        } else if (!others.isEmpty()) {
            final String rest = "--gres=" + String.join(",", others);
            values.add(new ParsedValue(rest, new JobSetting.SystemSpecific(List.of(rest))));
        }
        if (gpus != null) {
            values.add(new ParsedValue(null, gpus));
        }
        return values;
    }

    static JobSetting.Mail mailType(final String text) throws DirectiveSyntaxException {
        final List<JobSetting.MailEvent> on = new ArrayList<>();
        for (final String word : list(text)) {
            switch (word.toUpperCase(Locale.ROOT)) {
                case "BEGIN" -> on.add(JobSetting.MailEvent.BEGIN);
                case "END" -> on.add(JobSetting.MailEvent.END);
                case "FAIL", "INVALID_DEPEND" -> on.add(JobSetting.MailEvent.FAIL);
                case "REQUEUE" -> on.add(JobSetting.MailEvent.REQUEUE);
                case "NONE" -> on.add(JobSetting.MailEvent.NONE);
                case "ALL" ->
                    on.addAll(List.of(
                            JobSetting.MailEvent.BEGIN,
                            JobSetting.MailEvent.END,
                            JobSetting.MailEvent.FAIL,
                            JobSetting.MailEvent.REQUEUE));
                case "ARRAY_TASKS", "STAGE_OUT", "TIME_LIMIT", "TIME_LIMIT_50", "TIME_LIMIT_80", "TIME_LIMIT_90" ->
                    on.add(JobSetting.MailEvent.END);
                default ->
                    throw new DirectiveSyntaxException("'" + word
                            + "' is not a valid mail event; use BEGIN, END, FAIL, " + "REQUEUE, ALL or NONE");
            }
        }
        return new JobSetting.Mail(on.stream().distinct().toList(), "");
    }

    /** {@code ALL}, {@code NONE}, {@code NIL}, names and {@code NAME=value}; quote a value that contains a comma. */
    static JobSetting.Environment export(final String text) throws DirectiveSyntaxException {
        boolean all = false;
        final Map<String, String> set = new LinkedHashMap<>();
        final List<String> copied = new ArrayList<>();
        for (final String part : VariableList.split(text)) {
            if (part.equals("ALL")) {
                all = true;
            } else if (!part.equals("NONE") && !part.equals("NIL") && !part.isEmpty()) {
                VariableList.add(part, set, copied);
            }
        }
        return new JobSetting.Environment(set, copied, all);
    }

    private static JobSetting signal(final String text) throws DirectiveSyntaxException {
        final Matcher m = SIGNAL.matcher(text);
        if (!m.matches()) {
            throw new DirectiveSyntaxException("'" + text + "' is not a valid signal; use [B:]NAME[@seconds]");
        }
        final String flags = m.group(1) == null ? "" : m.group(1);
        final String name = m.group(2).toUpperCase(Locale.ROOT);
        return new JobSetting.SignalBefore(
                name.startsWith("SIG") ? name.substring(3) : name,
                Duration.ofSeconds(m.group(3) == null ? 60 : Long.parseLong(m.group(3))),
                flags.contains("B"));
    }

    private static JobSetting exclusive(final String text) {
        return text.isEmpty()
                ? new JobSetting.Exclusive(true)
                : new JobSetting.SystemSpecific(List.of("--exclusive=" + text));
    }

    private static List<ParsedValue> licences(final String text) throws DirectiveSyntaxException {
        final List<ParsedValue> values = new ArrayList<>();
        for (final String part : list(text)) {
            final int colon = part.lastIndexOf(':');
            final boolean counted = colon > 0 && part.substring(colon + 1).matches("\\d{1,9}");
            values.add(new ParsedValue(
                    "--licenses=" + part,
                    new JobSetting.Licence(
                            counted ? part.substring(0, colon) : part,
                            counted ? Quantities.positive(part.substring(colon + 1), "licences") : 1)));
        }
        return values;
    }
}
