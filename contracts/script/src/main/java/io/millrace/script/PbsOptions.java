package io.millrace.script;

import io.millrace.script.OptionTable.Meant;
import io.millrace.script.OptionTable.Style;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of {@code qsub}, of PBS Pro and of the classic line. */
final class PbsOptions {

    static final OptionTable TABLE = table();

    private PbsOptions() {}

    private static OptionTable table() {
        final OptionTable table = new OptionTable(Style.SHORT)
                .value(Wish.Name::new, "-N")
                .values(PbsResources::read, "-l")
                .value(PbsOptions::queue, "-q")
                .value(Wish.Project::new, "-A")
                .value(Wish.Project::new, "-P")
                .value(Wish.Output::new, "-o")
                .value(Wish.Error::new, "-e")
                .value(PbsOptions::indices, "-J")
                .value(Indices::slurm, "-t")
                .value(PbsOptions::mailOn, "-m")
                .value(text -> new Wish.Mail(List.of(), text), "-M")
                .value(PbsOptions::variables, "-v")
                .flag(new Wish.Environment(Map.of(), List.of(), true), "-V")
                .value(PbsOptions::rerunnable, "-r")
                .value(Begins::pbs, "-a")
                .value(PbsOptions::shell, "-S")
                .value(PbsOptions::priority, "-p")
                .values(PbsOptions::attributes, "-W")
                .flag(new Wish.Exclusive(true), "-n")
                .value(text -> new Wish.Settled("read by the prefix '" + text + "' from here on"), "-C");
        settled(table);
        refused(table);
        return table;
    }

    private static void settled(final OptionTable table) {
        final Wish output = new Wish.Settled("screen output goes to one file on every system");
        table.value(text -> output, "-j")
                .value(text -> output, "-k")
                .value(text -> output, "-R")
                .flag(new Wish.Settled("mgsub prints its own answer"), "-z");
    }

    private static void refused(final OptionTable table) {
        refuse(table, "a job runs as its owner", "-u");
        refuse(table, "the job runs in the directory that was submitted", "-d", "-D", "-w");
        refuse(table, "checkpoints are ordered by Millrace; see mgsub --checkpoint", "-c");
        refuse(table, "prologues are the site's", "-T");
        table.flag(new Wish.Unknown("Millrace holds and starts jobs itself; submit it when it may run"), "-h");
        table.flag(new Wish.Unknown("an interactive job has no place in the queue of Millrace"), "-I");
        table.flag(new Wish.Unknown("a batch job has no display"), "-X");
        table.flag(new Wish.Unknown("it is meant for other programs of PBS"), "-f");
    }

    private static void refuse(final OptionTable table, final String because, final String... names) {
        table.value(text -> new Wish.Unknown(because), names);
    }

    /** {@code queue}, {@code queue@server}. */
    private static Wish queue(final String text) throws Unreadable {
        final int at = text.indexOf('@');
        final String name = at < 0 ? text : text.substring(0, at);
        return name.isEmpty()
                ? new Wish.Unknown("a server is no queue; Millrace chooses the cluster")
                : new Wish.Partition(SlurmOptions.list(name));
    }

    /** PBS Pro: {@code 1-9:2%3}. */
    private static Wish indices(final String text) throws Unreadable {
        return Indices.slurm(text);
    }

    private static Wish mailOn(final String text) throws Unreadable {
        final List<Wish.MailOn> on = new ArrayList<>();
        for (final char letter : text.toCharArray()) {
            switch (letter) {
                case 'a', 'f' -> on.add(Wish.MailOn.FAIL);
                case 'b' -> on.add(Wish.MailOn.BEGIN);
                case 'e' -> on.add(Wish.MailOn.END);
                case 'n', 'p' -> on.add(Wish.MailOn.NEVER);
                case 'j', 's' -> {} // for subjobs as well; abroad is implied
                default -> throw new Unreadable("'" + letter + "' is no occasion for mail; PBS knows a, b, e and n");
            }
        }
        return new Wish.Mail(on.stream().distinct().toList(), "");
    }

    private static Wish variables(final String text) throws Unreadable {
        final Map<String, String> set = new LinkedHashMap<>();
        final List<String> copied = new ArrayList<>();
        for (final String part : Variables.split(text)) {
            if (!part.isBlank()) {
                Variables.add(part.strip(), set, copied);
            }
        }
        return new Wish.Environment(set, copied, false);
    }

    private static Wish rerunnable(final String text) throws Unreadable {
        return switch (text) {
            case "y" -> new Wish.Rerunnable(true);
            case "n" -> new Wish.Rerunnable(false);
            default -> throw new Unreadable("-r is y or n, not '" + text + "'");
        };
    }

    private static Wish shell(final String text) throws Unreadable {
        final String path = text.split("[@,]", 2)[0];
        if (!path.startsWith("/")) {
            throw new Unreadable("'" + text + "' is no absolute path of a shell");
        }
        return new Wish.Shell(path);
    }

    private static Wish priority(final String text) throws Unreadable {
        if (!text.matches("[+-]?\\d{1,4}")) {
            throw new Unreadable("'" + text + "' is no priority; PBS takes -1024 to 1023");
        }
        return new Wish.Priority(Integer.parseInt(text));
    }

    /** {@code depend=afterok:1,afterany:2,umask=022}: what has no name of its own belongs to the one before. */
    private static List<Meant> attributes(final String text) throws Unreadable {
        final List<String> parts = new ArrayList<>();
        for (final String part : text.split(",")) {
            if (part.matches("[A-Za-z_]+=.*") || parts.isEmpty()) {
                parts.add(part.strip());
            } else {
                parts.set(parts.size() - 1, parts.get(parts.size() - 1) + "," + part.strip());
            }
        }
        final List<Meant> meant = new ArrayList<>();
        for (final String part : parts) {
            final int equals = part.indexOf('=');
            if (equals < 1) {
                throw new Unreadable("'" + part + "' is no attribute; write name=value");
            }
            meant.add(new Meant("-W " + part, attribute(part.substring(0, equals), part.substring(equals + 1), part)));
        }
        return meant;
    }

    private static Wish attribute(final String name, final String value, final String whole) throws Unreadable {
        return switch (name) {
            case "depend" -> Dependencies.pbs(value);
            case "group_list", "umask", "release_nodes_on_stageout", "tolerate_node_failures" ->
                new Wish.Native(List.of("-W", whole));
            case "block" -> new Wish.Settled("mgsub --wait waits");
            case "stagein", "stageout" ->
                new Wish.Unknown("Millrace carries the submitted directory there and back; put the files into it");
            default -> new Wish.Unknown("Millrace does not know this attribute");
        };
    }
}
