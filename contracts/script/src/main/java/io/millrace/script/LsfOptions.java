package io.millrace.script;

import io.millrace.script.OptionTable.Meant;
import io.millrace.script.OptionTable.Style;
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
                .value(text -> new Wish.Cores(Figures.count(text.split(",")[0], "slots")), "-n")
                .value(text -> new Wish.Memory(Figures.lsfSize(text, 'K'), Wish.Per.JOB), "-M")
                .values(LsfRequirements::read, "-R")
                .values(LsfOptions::gpus, "-gpu")
                .value(text -> new Wish.Walltime(Figures.lsfTime(text)), "-W")
                .value(text -> new Wish.Partition(words(text)), "-q")
                .value(Wish.Project::new, "-P")
                .value(Wish.Output::new, "-o", "-oo")
                .value(Wish.Error::new, "-e", "-eo")
                .value(Dependencies::lsf, "-w")
                .flag(new Wish.Mail(List.of(Wish.MailOn.BEGIN), ""), "-B")
                .flag(new Wish.Mail(List.of(Wish.MailOn.END), ""), "-N", "-Nd")
                .flag(new Wish.Mail(List.of(Wish.MailOn.FAIL), ""), "-Ne")
                .value(text -> new Wish.Mail(List.of(), text), "-u")
                .value(LsfOptions::environment, "-env")
                .flag(new Wish.Rerunnable(true), "-r")
                .flag(new Wish.Rerunnable(false), "-rn")
                .value(LsfOptions::signal, "-wa")
                .value(text -> new Wish.SignalBefore(null, Figures.lsfTime(text), true), "-wt")
                .flag(new Wish.Exclusive(true), "-x")
                .value(LsfOptions::hosts, "-m")
                .value(Begins::lsf, "-b")
                .value(Wish.Reservation::new, "-U")
                .value(text -> new Wish.Priority(Figures.number(text, "priority")), "-sp");
        settled(table);
        refused(table);
        ownWords(table);
        return table;
    }

    private static void settled(final OptionTable table) {
        table.value(text -> new Wish.Settled("a job starts with its owner's login environment"), "-L")
                .flag(new Wish.Settled("mgsub --wait waits"), "-K")
                .flag(new Wish.Settled("Millrace keeps the script"), "-Zs", "-Z");
    }

    private static void refused(final OptionTable table) {
        refuse(table, "the job runs in the directory that was submitted", "-cwd", "-outdir");
        refuse(table, "standard input is empty; let the script read the file", "-i", "-is");
        refuse(table, "put the command into the script", "-E", "-Ep");
        refuse(table, "checkpoints are ordered by Millrace; see mgsub --checkpoint", "-k");
        refuse(table, "Millrace chooses the cluster; 'mgsub --dry-run --cluster' asks one", "-clusters");
        refuse(table, "Millrace carries the submitted directory there and back; put the files into it", "-f", "-data");
        refuse(table, "the job's description holds the tag by which Millrace finds it", "-Jd");
        table.flag(new Wish.Unknown("Millrace holds and starts jobs itself; submit it when it may run"), "-H");
        final Wish interactive = new Wish.Unknown("an interactive job has no place in the queue of Millrace");
        table.flag(interactive, "-I", "-Ip", "-Is", "-IS", "-ISp", "-ISs", "-IX");
        table.flag(new Wish.Unknown("a batch job has no display"), "-XF");
    }

    private static void refuse(final OptionTable table, final String because, final String... names) {
        table.value(text -> new Wish.Unknown(because), names);
    }

    /** Harmless, and nobody else has them. */
    private static void ownWords(final OptionTable table) {
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
                "-stage")) {
            table.value(text -> new Wish.Native(List.of(name, text)), name);
        }
        table.flag(new Wish.Native(List.of("-ti")), "-ti");
        table.flag(new Wish.Native(List.of("-ar")), "-ar");
        table.flag(new Wish.Native(List.of("-ptl")), "-ptl");
    }

    static List<String> words(final String text) throws Unreadable {
        final List<String> names = Arrays.stream(text.split("\\s+"))
                .filter(name -> !name.isBlank())
                .toList();
        if (names.isEmpty()) {
            throw new Unreadable("names nothing");
        }
        return names;
    }

    /** {@code name}, {@code name[1-10:2,15]%4}. */
    private static List<Meant> name(final String text) throws Unreadable {
        final Matcher m = NAME.matcher(text);
        if (!m.matches() || m.group(2) == null) {
            return List.of(new Meant(null, new Wish.Name(text)));
        }
        final int atOnce = m.group(3) == null ? 0 : Figures.count(m.group(3), "tasks at a time");
        final List<Meant> meant = new ArrayList<>();
        if (!m.group(1).isBlank()) {
            meant.add(new Meant(null, new Wish.Name(m.group(1).strip())));
        }
        meant.add(new Meant(null, new Wish.Array(Indices.ranges(m.group(2)), atOnce)));
        return meant;
    }

    /** {@code num=2:mode=exclusive_process:gmodel=A100}, or a dash for one of any kind. How they are used is LSF's own matter. */
    private static List<Meant> gpus(final String text) throws Unreadable {
        int count = 1;
        Wish.Per per = Wish.Per.NODE;
        String type = null;
        final List<String> use = new ArrayList<>();
        for (final String part : text.equals("-") ? new String[0] : text.split(":")) {
            final String[] word = part.split("=", 2);
            if (word.length == 2 && word[0].equals("num")) {
                final Matcher m = GPUS.matcher(word[1]);
                if (!m.matches()) {
                    throw new Unreadable("'" + word[1] + "' is no number of GPUs");
                }
                count = Integer.parseInt(m.group(1));
                per = "/task".equals(m.group(2)) ? Wish.Per.TASK : Wish.Per.NODE;
            } else if (word.length == 2 && word[0].equals("gmodel")) {
                type = word[1];
            } else if (word.length == 2 && GPU_USE.contains(word[0]) && word[1].matches("[\\w.,-]+")) {
                use.add(part);
            } else {
                throw new Unreadable("'" + part + "' says nothing about GPUs; write num=2, gmodel=…, "
                        + String.join("=…, ", GPU_USE.stream().sorted().toList()) + "=…");
            }
        }
        final List<Meant> meant = new ArrayList<>();
        meant.add(new Meant(null, new Wish.Gpus(count, per, type)));
        if (!use.isEmpty()) {
            final String words = String.join(":", use);
            meant.add(new Meant("-gpu " + words, new Wish.Native(List.of("-gpu", words))));
        }
        return meant;
    }

    /** {@code none}, {@code all}, {@code all, ~HOME, A=1}, {@code A=1, B}. */
    private static Wish environment(final String text) throws Unreadable {
        boolean all = false;
        final Map<String, String> set = new LinkedHashMap<>();
        final List<String> copied = new ArrayList<>();
        for (final String part : Variables.split(text)) {
            final String word = part.strip();
            if (word.equals("all")) {
                all = true;
            } else if (!word.equals("none") && !word.isEmpty() && !word.startsWith("~")) {
                Variables.add(word, set, copied);
            }
        }
        return new Wish.Environment(set, copied, all);
    }

    private static Wish signal(final String text) {
        final String name = text.toUpperCase(Locale.ROOT);
        return name.matches("(SIG)?[A-Z][A-Z0-9+-]{1,11}|\\d{1,2}")
                ? new Wish.SignalBefore(name.startsWith("SIG") ? name.substring(3) : name, null, true)
                : new Wish.Unknown("only a signal can be sent before the end; let the script trap it");
    }

    private static Wish hosts(final String text) throws Unreadable {
        final List<String> names = words(text);
        return names.stream().allMatch(name -> name.matches("[A-Za-z0-9._-]+"))
                ? new Wish.Hosts(names, true)
                : new Wish.Native(List.of("-m", text));
    }
}
