package io.millrace.script;

import io.millrace.script.OptionTable.Meant;
import io.millrace.script.OptionTable.One;
import io.millrace.script.OptionTable.Style;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of {@code sbatch}, as its manual page has them. */
final class SlurmOptions {

    static final OptionTable TABLE = table();

    private static final Pattern NODES = Pattern.compile("(\\d{1,7})([kKmM]?)(?:-.*|,.*|:.*)?");
    private static final Pattern SIGNAL = Pattern.compile("(?:([RB]{1,2}):)?([A-Za-z0-9+-]{1,12})(?:@(\\d{1,5}))?");

    private SlurmOptions() {}

    private static OptionTable table() {
        final OptionTable table = new OptionTable(Style.LONG_AND_SHORT)
                .value(Wish.Name::new, "--job-name", "-J")
                .value(text -> new Wish.Cores(Figures.count(text, "tasks")), "--ntasks", "-n")
                .value(SlurmOptions::nodes, "--nodes", "-N")
                .value(
                        text -> new Wish.TasksPerNode(Figures.count(text, "tasks per node")),
                        "--ntasks-per-node",
                        "--tasks-per-node")
                .value(text -> new Wish.CoresPerTask(Figures.count(text, "cores per task")), "--cpus-per-task", "-c")
                .value(SlurmOptions::memory, "--mem")
                .value(text -> new Wish.Memory(Figures.slurmSize(text), Wish.Per.CORE), "--mem-per-cpu")
                .value(text -> gpus(text, Wish.Per.JOB), "--gpus", "-G")
                .value(text -> gpus(text, Wish.Per.NODE), "--gpus-per-node")
                .value(text -> gpus(text, Wish.Per.TASK), "--gpus-per-task")
                .values(SlurmOptions::gres, "--gres")
                .value(text -> new Wish.Walltime(Figures.slurmTime(text)), "--time", "-t")
                .value(text -> new Wish.Partition(list(text)), "--partition", "-p")
                .value(Wish.Project::new, "--account", "-A")
                .value(Wish.Output::new, "--output", "-o")
                .value(Wish.Error::new, "--error", "-e")
                .value(Indices::slurm, "--array", "-a")
                .value(Dependencies::slurm, "--dependency", "-d")
                .value(SlurmOptions::mailType, "--mail-type")
                .value(text -> new Wish.Mail(List.of(), text), "--mail-user")
                .value(SlurmOptions::export, "--export")
                .flag(new Wish.Rerunnable(true), "--requeue")
                .flag(new Wish.Rerunnable(false), "--no-requeue")
                .value(SlurmOptions::signal, "--signal")
                .value(Wish.Feature::new, "--constraint", "-C")
                .perhaps(SlurmOptions::exclusive, "--exclusive")
                .flag(new Wish.Exclusive(false), "--oversubscribe", "-s", "--share")
                .values(SlurmOptions::licences, "--licenses", "-L")
                .value(Begins::slurm, "--begin", "-b")
                .value(Wish.Quality::new, "--qos", "-q")
                .value(Wish.Reservation::new, "--reservation")
                .value(text -> new Wish.Hosts(list(text), true), "--nodelist", "-w")
                .value(text -> new Wish.Hosts(list(text), false), "--exclude", "-x");
        settled(table);
        refused(table);
        ownWords(table);
        return table;
    }

    private static void settled(final OptionTable table) {
        final Wish appended = new Wish.Settled("screen output is appended on every system");
        table.value(text -> appended, "--open-mode")
                .flag(new Wish.Settled("mgsub prints its own answer"), "--parsable")
                .flag(new Wish.Settled("mgsub prints its own answer"), "--quiet", "-Q")
                .flag(new Wish.Settled("mgsub prints its own answer"), "--verbose", "-v")
                .flag(new Wish.Settled("mgsub --wait waits"), "--wait", "-W")
                .flag(new Wish.Settled("each system's directives are read by themselves"), "--ignore-pbs")
                .flag(new Wish.Settled("that is Millrace's dry run"), "--test-only")
                .perhaps(text -> new Wish.Settled("a job starts with its owner's login environment"), "--get-user-env");
    }

    private static void refused(final OptionTable table) {
        final String owner = "a job runs as its owner";
        refuse(table, owner, "--uid");
        refuse(table, owner, "--gid");
        refuse(table, "the job runs in the directory that was submitted", "--chdir", "-D");
        refuse(table, "standard input is empty; let the script read the file", "--input", "-i");
        refuse(table, "the comment holds the tag by which Millrace finds the job", "--comment");
        refuse(table, "Millrace chooses the cluster; 'mgsub --dry-run --cluster' asks one", "--clusters", "-M");
        refuse(table, "the script itself is what runs", "--wrap");
        refuse(table, "Millrace plans with one walltime", "--time-min");
        refuse(table, "priorities are Millrace's", "--priority");
        refuse(table, "variables come from the submission, not from a file", "--export-file");
        refuse(table, "memory goes by node or core; write --mem or --mem-per-cpu", "--mem-per-gpu");
        larger(table);
        final Wish held = new Wish.Unknown("Millrace holds and starts jobs itself; submit it when it may run");
        table.flag(held, "--hold", "-H");
        table.flag(new Wish.Unknown("restarting nodes is for operators"), "--reboot");
    }

    /** With these Slurm allocates more than tasks, cores per task and GPUs say, by figures of nodes that are not known beforehand. */
    private static void larger(final OptionTable table) {
        final String cores = "it makes a job larger than what was granted; write --cpus-per-task";
        refuse(
                table,
                cores,
                "--mincpus",
                "--cpus-per-gpu",
                "--tres-per-task",
                "--sockets-per-node",
                "--cores-per-socket");
        refuse(table, cores, "--extra-node-info", "-B");
        final String threads = "whole cores are more CPUs than what was granted; write --cpus-per-task";
        refuse(table, threads, "--threads-per-core", "--ntasks-per-core");
        table.value(
                text -> text.equals("multithread")
                        ? new Wish.Native(List.of("--hint=multithread"))
                        : new Wish.Unknown(threads),
                "--hint");
        refuse(
                table,
                "the cores it sets aside are taken as well; write --exclusive",
                "--core-spec",
                "-S",
                "--thread-spec");
        refuse(table, "GPUs go by job, node or task; write --gpus", "--ntasks-per-gpu", "--gpus-per-socket");
    }

    private static void refuse(final OptionTable table, final String because, final String... names) {
        table.value(text -> new Wish.Unknown(because), names);
    }

    /** Harmless, and nobody else has them. */
    private static void ownWords(final OptionTable table) {
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
                "--bb",
                "--prefer")) {
            table.value(own(name), name);
        }
        table.value(own("--distribution"), "--distribution", "-m")
                .perhaps(own("--nice"), "--nice")
                .perhaps(own("--propagate"), "--propagate")
                .perhaps(own("--no-kill"), "--no-kill", "-k")
                .flag(new Wish.Native(List.of("--overcommit")), "--overcommit", "-O")
                .flag(new Wish.Native(List.of("--contiguous")), "--contiguous")
                .flag(new Wish.Native(List.of("--spread-job")), "--spread-job")
                .flag(new Wish.Native(List.of("--use-min-nodes")), "--use-min-nodes");
    }

    private static One own(final String name) {
        return text -> new Wish.Native(List.of(text.isEmpty() ? name : name + "=" + text));
    }

    static List<String> list(final String text) throws Unreadable {
        final List<String> names =
                Arrays.stream(text.split(",")).filter(name -> !name.isBlank()).toList();
        if (names.isEmpty()) {
            throw new Unreadable("names nothing");
        }
        return names;
    }

    private static Wish nodes(final String text) throws Unreadable {
        final Matcher m = NODES.matcher(text);
        if (!m.matches()) {
            throw new Unreadable("'" + text + "' is no number of nodes");
        }
        final int scale = switch (m.group(2).toLowerCase(Locale.ROOT)) {
            case "k" -> 1024;
            case "m" -> 1024 * 1024;
            default -> 1;
        };
        final long nodes = Long.parseLong(m.group(1)) * scale;
        if (nodes < 1 || nodes > Integer.MAX_VALUE) {
            throw new Unreadable("'" + text + "' is no number of nodes");
        }
        return new Wish.Nodes((int) nodes);
    }

    private static Wish memory(final String text) throws Unreadable {
        return text.matches("0[a-zA-Z]?")
                ? new Wish.Unknown("all the memory of a node is no amount that can be granted; say how much")
                : new Wish.Memory(Figures.slurmSize(text), Wish.Per.NODE);
    }

    /** {@code 2}, {@code a100:2}, {@code a100:2,v100:1}. */
    private static Wish gpus(final String text, final Wish.Per per) throws Unreadable {
        int count = 0;
        String type = null;
        for (final String part : text.split(",")) {
            final int colon = part.lastIndexOf(':');
            count += Figures.number(part.substring(colon + 1), "GPUs");
            if (colon > 0) {
                type = type == null ? part.substring(0, colon) : "";
            }
        }
        return new Wish.Gpus(count, per, type == null || type.isEmpty() ? null : type);
    }

    private static List<Meant> gres(final String text) throws Unreadable {
        final List<Meant> meant = new ArrayList<>();
        for (final String part : text.split(",")) {
            if (!part.equals("gpu") && !part.startsWith("gpu:")) {
                meant.add(new Meant(
                        "--gres=" + part,
                        part.equals("none")
                                ? new Wish.Settled("none")
                                : part.matches("(mps|shard)(:.*)?")
                                        ? new Wish.Unknown("shares of GPUs are not counted; ask for whole ones")
                                        : new Wish.Native(List.of("--gres=" + part))));
                continue;
            }
            final String[] words = part.split(":");
            final String last = words[words.length - 1];
            final boolean counted = last.matches("\\d{1,9}");
            final int count = words.length > 1 && counted ? Integer.parseInt(last) : 1;
            final String type =
                    words.length > 1 && !words[1].equals(last) || words.length == 2 && !counted ? words[1] : null;
            meant.add(new Meant("--gres=" + part, new Wish.Gpus(count, Wish.Per.NODE, type)));
        }
        return meant;
    }

    private static Wish mailType(final String text) throws Unreadable {
        final List<Wish.MailOn> on = new ArrayList<>();
        for (final String word : list(text)) {
            switch (word.toUpperCase(Locale.ROOT)) {
                case "BEGIN" -> on.add(Wish.MailOn.BEGIN);
                case "END" -> on.add(Wish.MailOn.END);
                case "FAIL", "INVALID_DEPEND" -> on.add(Wish.MailOn.FAIL);
                case "REQUEUE" -> on.add(Wish.MailOn.REQUEUE);
                case "NONE" -> on.add(Wish.MailOn.NEVER);
                case "ALL" ->
                    on.addAll(List.of(Wish.MailOn.BEGIN, Wish.MailOn.END, Wish.MailOn.FAIL, Wish.MailOn.REQUEUE));
                case "ARRAY_TASKS", "STAGE_OUT", "TIME_LIMIT", "TIME_LIMIT_50", "TIME_LIMIT_80", "TIME_LIMIT_90" ->
                    on.add(Wish.MailOn.END);
                default ->
                    throw new Unreadable("'" + word + "' is no occasion for mail; Slurm knows BEGIN, END, FAIL, "
                            + "REQUEUE, ALL and NONE");
            }
        }
        return new Wish.Mail(on.stream().distinct().toList(), "");
    }

    /** {@code ALL}, {@code NONE}, {@code NIL}, names and {@code NAME=value}; a comma in a value stands in quotes. */
    private static Wish export(final String text) throws Unreadable {
        boolean all = false;
        final Map<String, String> set = new LinkedHashMap<>();
        final List<String> copied = new ArrayList<>();
        for (final String part : Variables.split(text)) {
            if (part.equals("ALL")) {
                all = true;
            } else if (!part.equals("NONE") && !part.equals("NIL") && !part.isEmpty()) {
                Variables.add(part, set, copied);
            }
        }
        return new Wish.Environment(set, copied, all);
    }

    private static Wish signal(final String text) throws Unreadable {
        final Matcher m = SIGNAL.matcher(text);
        if (!m.matches()) {
            throw new Unreadable("'" + text + "' is no signal; write [B:]NAME[@seconds]");
        }
        final String flags = m.group(1) == null ? "" : m.group(1);
        final String name = m.group(2).toUpperCase(Locale.ROOT);
        return new Wish.SignalBefore(
                name.startsWith("SIG") ? name.substring(3) : name,
                Duration.ofSeconds(m.group(3) == null ? 60 : Long.parseLong(m.group(3))),
                flags.contains("B"));
    }

    private static Wish exclusive(final String text) {
        return text.isEmpty() ? new Wish.Exclusive(true) : new Wish.Native(List.of("--exclusive=" + text));
    }

    private static List<Meant> licences(final String text) throws Unreadable {
        final List<Meant> meant = new ArrayList<>();
        for (final String part : list(text)) {
            final int colon = part.lastIndexOf(':');
            final boolean counted = colon > 0 && part.substring(colon + 1).matches("\\d{1,9}");
            meant.add(new Meant(
                    "--licenses=" + part,
                    new Wish.Licence(
                            counted ? part.substring(0, colon) : part,
                            counted ? Figures.count(part.substring(colon + 1), "licences") : 1)));
        }
        return meant;
    }
}
