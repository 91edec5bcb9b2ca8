package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.directive.OptionTable.Argument;
import io.millrace.script.directive.OptionTable.ParsedValue;
import io.millrace.script.directive.OptionTable.Style;
import io.millrace.script.directive.OptionTable.ValueParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of {@code sbatch}, see sbatch(1). */
final class SlurmOptions {

    static final OptionTable TABLE = table();

    private static final Pattern NODES = Pattern.compile("(\\d{1,7})([kKmM]?)(?:-.*|,.*|:.*)?");
    private static final Pattern SIGNAL = Pattern.compile("(?:([RB]{1,2}):)?([A-Za-z0-9+-]{1,12})(?:@(\\d{1,5}))?");

    private SlurmOptions() {}

    private static OptionTable table() {
        final OptionTable table = new OptionTable(Style.LONG_AND_SHORT)
                .value(JobSetting.Name::new, "--job-name", "-J")
                .value(text -> new JobSetting.Cores(Quantities.positive(text, "tasks")), "--ntasks", "-n")
                .value(SlurmOptions::nodes, "--nodes", "-N")
                .value(
                        text -> new JobSetting.TasksPerNode(Quantities.positive(text, "tasks per node")),
                        "--ntasks-per-node",
                        "--tasks-per-node")
                .value(
                        text -> new JobSetting.CoresPerTask(Quantities.positive(text, "cores per task")),
                        "--cpus-per-task",
                        "-c")
                .value(SlurmOptions::memory, "--mem")
                .value(text -> new JobSetting.Memory(Quantities.slurmSize(text), JobSetting.Per.CORE), "--mem-per-cpu")
                .value(text -> gpus(text, JobSetting.Per.JOB), "--gpus", "-G")
                .value(text -> gpus(text, JobSetting.Per.NODE), "--gpus-per-node")
                .value(text -> gpus(text, JobSetting.Per.TASK), "--gpus-per-task")
                .values(SlurmOptions::gres, "--gres")
                .value(text -> new JobSetting.Walltime(Quantities.slurmTime(text)), "--time", "-t")
                .value(text -> new JobSetting.Partition(list(text)), "--partition", "-p")
                .value(text -> new JobSetting.Clusters(list(text)), "--clusters", "-M", "--cluster")
                .value(JobSetting.Project::new, "--account", "-A")
                .value(JobSetting.Output::new, "--output", "-o")
                .value(JobSetting.Error::new, "--error", "-e")
                .value(JobSetting.Input::new, "--input", "-i")
                .value(ArrayIndices::slurm, "--array", "-a")
                .value(Dependencies::slurm, "--dependency", "-d")
                .value(SlurmOptions::mailType, "--mail-type")
                .value(text -> new JobSetting.Mail(List.of(), text), "--mail-user")
                .value(SlurmOptions::export, "--export")
                .flag(new JobSetting.Rerunnable(true), "--requeue")
                .flag(new JobSetting.Rerunnable(false), "--no-requeue")
                .value(SlurmOptions::signal, "--signal")
                .value(JobSetting.Feature::new, "--constraint", "-C")
                .optionalValue(SlurmOptions::exclusive, "--exclusive")
                .flag(new JobSetting.Exclusive(false), "--oversubscribe", "-s", "--share")
                .values(SlurmOptions::licences, "--licenses", "-L")
                .value(BeginTimes::slurm, "--begin", "-b")
                .value(JobSetting.QualityOfService::new, "--qos", "-q")
                .value(JobSetting.Reservation::new, "--reservation")
                .value(text -> new JobSetting.Hosts(list(text), true), "--nodelist", "-w")
                .value(text -> new JobSetting.Hosts(list(text), false), "--exclude", "-x");
        ignored(table);
        refused(table);
        unsupported(table);
        systemSpecific(table);
        return table;
    }

    private static void ignored(final OptionTable table) {
        final JobSetting appended = new JobSetting.Ignored("output is appended on every cluster");
        table.value(text -> appended, "--open-mode")
                .flag(new JobSetting.Ignored("mgsub prints its own output"), "--parsable")
                .flag(new JobSetting.Ignored("mgsub prints its own output"), "--quiet", "-Q")
                .flag(new JobSetting.Ignored("mgsub prints its own output"), "--verbose", "-v")
                .flag(new JobSetting.Ignored("use mgsub --wait"), "--wait", "-W")
                .flag(new JobSetting.Ignored("every workload manager reads its own directives"), "--ignore-pbs")
                .flag(new JobSetting.Ignored("use mgsub --dry-run"), "--test-only")
                .optionalValue(
                        text -> new JobSetting.Ignored("a job starts with the login environment of its owner"),
                        "--get-user-env");
    }

    /** Without these options a job would be another one than its owner described. */
    private static void refused(final OptionTable table) {
        table.refused(Argument.REQUIRED, "a job runs as its owner; remove the option", "--uid", "--gid")
                .refused(
                        Argument.REQUIRED,
                        "the job runs in the submitted directory; choose it with mgsub -d",
                        "--chdir",
                        "-D",
                        "--workdir")
                .refused(
                        Argument.REQUIRED, "Millrace selects the cluster; use mgsub --clusters", "--cluster-constraint")
                .refused(Argument.REQUIRED, "submit a script, or a command with mgsub -- COMMAND", "--wrap")
                .refused(Argument.REQUIRED, "set variables with NAME=value, not from a file", "--export-file")
                .refused(
                        Argument.NONE,
                        "Millrace holds and starts jobs itself; submit the job when it may start",
                        "--hold",
                        "-H")
                .refused(
                        Argument.REQUIRED,
                        "it can allocate more cores than granted; use --cpus-per-task",
                        "--cpus-per-gpu",
                        "--tres-per-task",
                        "--tres-per-job",
                        "--tres-per-node")
                .refused(
                        Argument.REQUIRED,
                        "memory is requested per node or core; use --mem or --mem-per-cpu",
                        "--mem-per-gpu")
                .refused(
                        Argument.REQUIRED,
                        "GPUs are requested per job, node or task; use --gpus",
                        "--ntasks-per-gpu",
                        "--gpus-per-socket")
                .refused(Argument.REQUIRED, "name the nodes with --nodelist", "--nodefile", "-F")
                .refused(
                        Argument.REQUIRED,
                        "a batch job has no steps to start from outside; use srun in the script",
                        "--jobid")
                .refused(
                        Argument.NONE,
                        "it submits nothing; use mgsub --help",
                        "--help",
                        "-h",
                        "--usage",
                        "--version",
                        "-V");
    }

    private static void unsupported(final OptionTable table) {
        unsupported(table, "Millrace uses the comment for its tag", "--comment");
        unsupported(table, "Millrace supports one walltime", "--time-min");
        unsupported(table, "Millrace sets priorities", "--priority");
        unsupported(table, "Millrace takes checkpoints; use mgsub --checkpoint", "--checkpoint", "--checkpoint-dir");
        oversized(table);
        table.flag(new JobSetting.Unsupported("only operators can reboot nodes"), "--reboot");
    }

    /** With these options Slurm allocates more than tasks, cores per task and GPUs specify, depending on the hardware of the node. */
    private static void oversized(final OptionTable table) {
        final String cores = "it can allocate more cores than granted; use --cpus-per-task";
        unsupported(table, cores, "--mincpus", "--sockets-per-node", "--cores-per-socket");
        unsupported(table, cores, "--extra-node-info", "-B");
        final String threads = "whole cores can be more CPUs than granted; use --cpus-per-task";
        unsupported(table, threads, "--threads-per-core", "--ntasks-per-core");
        table.value(
                text -> text.equals("multithread")
                        ? new JobSetting.SystemSpecific(List.of("--hint=multithread"))
                        : new JobSetting.Unsupported(threads),
                "--hint");
        unsupported(
                table,
                "it also allocates the specialized cores; use --exclusive",
                "--core-spec",
                "-S",
                "--thread-spec");
    }

    private static void unsupported(final OptionTable table, final String reason, final String... names) {
        table.value(text -> new JobSetting.Unsupported(reason), names);
    }

    /** Options that are harmless and specific to this workload manager. */
    private static void systemSpecific(final OptionTable table) {
        for (final String name : List.of(
                "--ntasks-per-socket",
                "--mem-bind",
                "--cpu-freq",
                "--tmp",
                "--switches",
                "--profile",
                "--acctg-freq",
                "--power",
                "--delay-boot",
                "--deadline",
                "--gres-flags",
                "--gpu-bind",
                "--gpu-freq",
                "--wckey",
                "--mcs-label",
                "--kill-on-invalid-dep",
                "--wait-all-nodes",
                "--container",
                "--container-id",
                "--bb",
                "--bbf",
                "--network",
                "--extra",
                "--tres-bind",
                "--oom-kill-step",
                "--resv-ports",
                "--segment",
                "--prefer")) {
            table.value(own(name), name);
        }
        table.value(own("--distribution"), "--distribution", "-m")
                .optionalValue(own("--nice"), "--nice")
                .optionalValue(own("--propagate"), "--propagate")
                .optionalValue(own("--no-kill"), "--no-kill", "-k")
                .flag(new JobSetting.SystemSpecific(List.of("--overcommit")), "--overcommit", "-O")
                .flag(new JobSetting.SystemSpecific(List.of("--contiguous")), "--contiguous")
                .flag(new JobSetting.SystemSpecific(List.of("--spread-job")), "--spread-job")
                .flag(new JobSetting.SystemSpecific(List.of("--use-min-nodes")), "--use-min-nodes")
                .flag(new JobSetting.SystemSpecific(List.of("--stepmgr")), "--stepmgr")
                .flag(new JobSetting.SystemSpecific(List.of("--consolidate-segments")), "--consolidate-segments")
                .flag(new JobSetting.SystemSpecific(List.of("--spread-segments")), "--spread-segments");
    }

    private static ValueParser own(final String name) {
        return text -> new JobSetting.SystemSpecific(List.of(text.isEmpty() ? name : name + "=" + text));
    }

    static List<String> list(final String text) throws DirectiveSyntaxException {
        final List<String> names =
                Arrays.stream(text.split(",")).filter(name -> !name.isBlank()).toList();
        if (names.isEmpty()) {
            throw new DirectiveSyntaxException("the list is empty");
        }
        return names;
    }

    private static JobSetting nodes(final String text) throws DirectiveSyntaxException {
        final Matcher m = NODES.matcher(text);
        if (!m.matches()) {
            throw new DirectiveSyntaxException("'" + text + "' is not a valid number of nodes");
        }
        final int scale = switch (m.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> 1024;
            case "m" -> 1024 * 1024;
            default -> 1;
        };
        final long nodes = Long.parseLong(m.group(1)) * scale;
        if (nodes < 1 || nodes > Integer.MAX_VALUE) {
            throw new DirectiveSyntaxException("'" + text + "' is not a valid number of nodes");
        }
        return new JobSetting.Nodes((int) nodes);
    }

    private static JobSetting memory(final String text) throws DirectiveSyntaxException {
        return text.matches("0[a-zA-Z]?")
                ? new JobSetting.Unsupported("Millrace cannot grant all memory of a node; specify the amount")
                : new JobSetting.Memory(Quantities.slurmSize(text), JobSetting.Per.NODE);
    }

    /** {@code 2}, {@code a100:2}, {@code a100:2,v100:1}. */
    private static JobSetting gpus(final String text, final JobSetting.Per per) throws DirectiveSyntaxException {
        int count = 0;
        String type = null;
        for (final String part : text.split(",")) {
            final int colon = part.lastIndexOf(':');
            count += Quantities.number(part.substring(colon + 1), "GPUs");
            if (colon > 0) {
                type = type == null ? part.substring(0, colon) : "";
            }
        }
        return new JobSetting.Gpus(count, per, type == null || type.isEmpty() ? null : type);
    }

    private static List<ParsedValue> gres(final String text) throws DirectiveSyntaxException {
        final List<ParsedValue> values = new ArrayList<>();
        for (final String part : text.split(",")) {
            if (!part.equals("gpu") && !part.startsWith("gpu:")) {
                values.add(new ParsedValue(
                        "--gres=" + part,
                        part.equals("none")
                                ? new JobSetting.Ignored("none")
                                : part.matches("(mps|shard)(:.*)?")
                                        ? new JobSetting.Unsupported("GPU shares are not supported; request whole GPUs")
                                        : new JobSetting.SystemSpecific(List.of("--gres=" + part))));
                continue;
            }
            final String[] words = part.split(":");
            final String last = words[words.length - 1];
            final boolean counted = last.matches("\\d{1,9}");
            final int count = words.length > 1 && counted ? Integer.parseInt(last) : 1;
            final String type =
                    words.length > 1 && !words[1].equals(last) || words.length == 2 && !counted ? words[1] : null;
            values.add(new ParsedValue("--gres=" + part, new JobSetting.Gpus(count, JobSetting.Per.NODE, type)));
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
