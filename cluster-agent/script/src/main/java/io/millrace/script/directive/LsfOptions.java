package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.directive.OptionTable.Argument;
import io.millrace.script.directive.OptionTable.ParsedValue;
import io.millrace.script.directive.OptionTable.Style;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of {@code bsub}. */
final class LsfOptions {

    static final OptionTable TABLE = table();

    private static final Pattern NAME = Pattern.compile("(.*?)(?:\\[([^\\[\\]]*)\\](?:%(\\d{1,9}))?)?");
    private static final Set<String> GPU_USE = Set.of(
            "mode",
            "mps",
            "j_exclusive",
            "aff",
            "block",
            "gpack",
            "gvendor",
            "gtile",
            "gmem",
            "glink",
            "nvlink",
            "mig");
    private static final Pattern GPUS = Pattern.compile("(\\d{1,6})(/host|/task)?");

    private LsfOptions() {}

    private static OptionTable table() {
        final OptionTable table = new OptionTable(Style.WORDS)
                .values(LsfOptions::name, "-J")
                .value(text -> new JobSetting.Cores(Quantities.positive(text.split(",", 2)[0], "slots")), "-n")
                .value(text -> new JobSetting.Memory(Quantities.lsfSize(text, 'K'), JobSetting.Per.JOB), "-M")
                .values(LsfResourceString::read, "-R")
                .values(LsfOptions::gpus, "-gpu")
                .value(text -> new JobSetting.Walltime(Quantities.lsfTime(text)), "-W")
                .value(text -> new JobSetting.Partition(words(text)), "-q")
                .value(JobSetting.Project::new, "-P")
                .value(JobSetting.Output::new, "-o", "-oo")
                .value(JobSetting.Error::new, "-e", "-eo")
                .value(JobSetting.Input::new, "-i", "-is")
                .value(Dependencies::lsf, "-w")
                .flag(new JobSetting.Mail(List.of(JobSetting.MailEvent.BEGIN), ""), "-B")
                .flag(new JobSetting.Mail(List.of(JobSetting.MailEvent.END), ""), "-N", "-Nd")
                .flag(new JobSetting.Mail(List.of(JobSetting.MailEvent.FAIL), ""), "-Ne")
                .value(text -> new JobSetting.Mail(List.of(), text), "-u")
                .value(LsfOptions::environment, "-env")
                .flag(new JobSetting.Rerunnable(true), "-r")
                .flag(new JobSetting.Rerunnable(false), "-rn")
                .value(LsfOptions::signal, "-wa")
                .value(text -> new JobSetting.SignalBefore(null, Quantities.lsfTime(text), true), "-wt")
                .flag(new JobSetting.Exclusive(true), "-x")
                .value(LsfOptions::hosts, "-m")
                .value(BeginTimes::lsf, "-b")
                .value(JobSetting.Reservation::new, "-U")
                .value(text -> new JobSetting.Priority(Quantities.number(text, "priority")), "-sp");
        ignored(table);
        refused(table);
        unsupported(table);
        systemSpecific(table);
        return table;
    }

    private static void ignored(final OptionTable table) {
        table.value(text -> new JobSetting.Ignored("a job starts with the login environment of its owner"), "-L")
                .flag(new JobSetting.Ignored("use mgsub --wait"), "-K")
                .flag(new JobSetting.Ignored("Millrace stores the script"), "-Zs", "-Z");
    }

    /** Without these options a job would be another one than its owner described. */
    private static void refused(final OptionTable table) {
        table.refused(
                        Argument.REQUIRED,
                        "the job runs in the submitted directory; choose it with mgsub -d",
                        "-cwd",
                        "-outdir")
                .refused(Argument.REQUIRED, "put the command in the script", "-E", "-Ep")
                .refused(Argument.REQUIRED, "Millrace selects the cluster; use mgsub --clusters", "-clusters")
                .refused(
                        Argument.REQUIRED,
                        "Millrace transfers the submitted directory; put the files in it",
                        "-f",
                        "-data",
                        "-datagrp")
                .refused(Argument.NONE, "Millrace transfers the submitted directory; put the files in it", "-datachk")
                .refused(
                        Argument.REQUIRED,
                        "submit each job with its own script",
                        "-pack",
                        "-json",
                        "-yaml",
                        "-jsdl",
                        "-jsdl_strict")
                .refused(Argument.REQUIRED, "name the hosts with -m", "-hostfile")
                .refused(Argument.NONE, "Millrace holds and starts jobs itself; submit the job when it may start", "-H")
                .refused(
                        Argument.NONE,
                        "interactive jobs cannot be submitted through Millrace",
                        "-I",
                        "-Ip",
                        "-Is",
                        "-IS",
                        "-ISp",
                        "-ISs",
                        "-IX",
                        "-tty")
                .refused(Argument.NONE, "it submits nothing; use mgsub --help", "-h", "-V");
    }

    private static void unsupported(final OptionTable table) {
        unsupported(table, "Millrace takes checkpoints; use mgsub --checkpoint", "-k");
        unsupported(table, "Millrace uses the job description for its tag", "-Jd");
        unsupported(table, "Millrace sends no notifications of this kind", "-notify");
        unsupported(table, "Millrace sends signals itself", "-s");
        table.flag(new JobSetting.Unsupported("a batch job has no display"), "-XF");
    }

    private static void unsupported(final OptionTable table, final String reason, final String... names) {
        table.value(text -> new JobSetting.Unsupported(reason), names);
    }

    /** Options that are harmless and specific to this workload manager. */
    private static void systemSpecific(final OptionTable table) {
        for (final String name : List.of(
                "-We",
                "-G",
                "-g",
                "-t",
                "-app",
                "-c",
                "-C",
                "-D",
                "-F",
                "-S",
                "-T",
                "-v",
                "-p",
                "-sla",
                "-Lp",
                "-Q",
                "-ul",
                "-ext",
                "-a",
                "-network",
                "-jd",
                "-rnc",
                "-freq",
                "-stage",
                "-mig",
                "-ptl",
                "-smt",
                "-nnodes",
                "-alloc_flags",
                "-core_isolation",
                "-cn_cu",
                "-cn_mem",
                "-ln_mem",
                "-ln_slots",
                "-csm",
                "-eptl",
                "-jobaff",
                "-jsm",
                "-rcacct",
                "-step_cgroup")) {
            table.value(text -> new JobSetting.SystemSpecific(List.of(name, text)), name);
        }
        table.flag(new JobSetting.SystemSpecific(List.of("-hl")), "-hl");
        table.flag(new JobSetting.SystemSpecific(List.of("-ti")), "-ti");
        table.flag(new JobSetting.SystemSpecific(List.of("-ar")), "-ar");
    }

    static List<String> words(final String text) throws DirectiveSyntaxException {
        final List<String> names = Arrays.stream(text.split("\\s+"))
                .filter(name -> !name.isBlank())
                .toList();
        if (names.isEmpty()) {
            throw new DirectiveSyntaxException("the list is empty");
        }
        return names;
    }

    /** {@code name}, {@code name[1-10:2,15]%4}. */
    private static List<ParsedValue> name(final String text) throws DirectiveSyntaxException {
        final Matcher m = NAME.matcher(text);
        if (!m.matches() || m.group(2) == null) {
            return List.of(new ParsedValue(null, new JobSetting.Name(text)));
        }
        final int atOnce = m.group(3) == null ? 0 : Quantities.positive(m.group(3), "tasks at a time");
        final List<ParsedValue> values = new ArrayList<>();
        if (!m.group(1).isBlank()) {
            values.add(new ParsedValue(null, new JobSetting.Name(m.group(1).strip())));
        }
        values.add(new ParsedValue(null, new JobSetting.Array(ArrayIndices.ranges(m.group(2)), atOnce)));
        return values;
    }

    /** {@code num=2:mode=exclusive_process:gmodel=A100}, or a dash for one GPU of any kind. Usage options are specific to LSF. */
    private static List<ParsedValue> gpus(final String text) throws DirectiveSyntaxException {
        int count = 1;
        JobSetting.Per per = JobSetting.Per.NODE;
        String type = null;
        final List<String> use = new ArrayList<>();
        for (final String part : text.equals("-") ? new String[0] : text.split(":")) {
            final String[] word = part.split("=", 2);
            if (word.length == 2 && word[0].equals("num")) {
                final Matcher m = GPUS.matcher(word[1]);
                if (!m.matches()) {
                    throw new DirectiveSyntaxException("'" + word[1] + "' is not a valid number of GPUs");
                }
                count = Integer.parseInt(m.group(1));
                per = "/task".equals(m.group(2)) ? JobSetting.Per.TASK : JobSetting.Per.NODE;
            } else if (word.length == 2 && word[0].equals("gmodel")) {
                type = word[1];
            } else if (word.length == 2 && GPU_USE.contains(word[0]) && word[1].matches("[\\w.,-]+")) {
                use.add(part);
            } else {
                throw new DirectiveSyntaxException("'" + part + "' is not a valid GPU option; use num=2, gmodel=…, "
                        + String.join("=…, ", GPU_USE.stream().sorted().toList()) + "=…");
            }
        }
        final List<ParsedValue> values = new ArrayList<>();
        values.add(new ParsedValue(null, new JobSetting.Gpus(count, per, type)));
        if (!use.isEmpty()) {
            final String words = String.join(":", use);
            values.add(new ParsedValue("-gpu " + words, new JobSetting.SystemSpecific(List.of("-gpu", words))));
        }
        return values;
    }

    /** {@code none}, {@code all}, {@code all, ~HOME, A=1}, {@code A=1, B}. */
    private static JobSetting environment(final String text) throws DirectiveSyntaxException {
        boolean all = false;
        final Map<String, String> set = new LinkedHashMap<>();
        final List<String> copied = new ArrayList<>();
        final List<String> excluded = new ArrayList<>();
        for (final String part : VariableList.split(text)) {
            final String word = part.strip();
            if (word.equals("all")) {
                all = true;
            } else if (word.startsWith("~")) {
                excluded.add(word.substring(1));
            } else if (!word.equals("none") && !word.isEmpty()) {
                VariableList.add(word, set, copied);
            }
        }
        return new JobSetting.Environment(set, copied, all, excluded);
    }

    private static JobSetting signal(final String text) {
        final String name = text.toUpperCase(Locale.ROOT);
        return name.matches("(SIG)?[A-Z][A-Z0-9+-]{1,11}|\\d{1,2}")
                ? new JobSetting.SignalBefore(name.startsWith("SIG") ? name.substring(3) : name, null, true)
                : new JobSetting.Unsupported(
                        "only signals can be sent before the walltime limit; trap the signal in the script");
    }

    private static JobSetting hosts(final String text) throws DirectiveSyntaxException {
        final List<String> names = words(text);
        return names.stream().allMatch(name -> name.matches("[A-Za-z0-9._-]+"))
                ? new JobSetting.Hosts(names, true)
                : new JobSetting.SystemSpecific(List.of("-m", text));
    }
}
