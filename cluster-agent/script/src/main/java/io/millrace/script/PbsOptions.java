package io.millrace.script;

import io.millrace.script.OptionTable.ParsedValue;
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
                .value(JobSetting.Name::new, "-N")
                .values(PbsResources::read, "-l")
                .value(PbsOptions::queue, "-q")
                .value(JobSetting.Project::new, "-A")
                .value(JobSetting.Project::new, "-P")
                .value(JobSetting.Output::new, "-o")
                .value(JobSetting.Error::new, "-e")
                .value(PbsOptions::indices, "-J")
                .value(ArrayIndices::slurm, "-t")
                .value(PbsOptions::mailOn, "-m")
                .value(text -> new JobSetting.Mail(List.of(), text), "-M")
                .value(PbsOptions::variables, "-v")
                .flag(new JobSetting.Environment(Map.of(), List.of(), true), "-V")
                .value(PbsOptions::rerunnable, "-r")
                .value(BeginTimes::pbs, "-a")
                .value(PbsOptions::shell, "-S")
                .value(PbsOptions::priority, "-p")
                .values(PbsOptions::attributes, "-W")
                .flag(new JobSetting.Exclusive(true), "-n")
                .value(text -> new JobSetting.Ignored("read by the prefix '" + text + "' from here on"), "-C");
        settled(table);
        refused(table);
        return table;
    }

    private static void settled(final OptionTable table) {
        final JobSetting output = new JobSetting.Ignored("screen output goes to one file on every system");
        table.value(text -> output, "-j")
                .value(text -> output, "-k")
                .value(text -> output, "-R")
                .flag(new JobSetting.Ignored("mgsub prints its own answer"), "-z");
    }

    private static void refused(final OptionTable table) {
        refuse(table, "a job runs as its owner", "-u");
        refuse(table, "the job runs in the directory that was submitted", "-d", "-D", "-w");
        refuse(table, "checkpoints are ordered by Millrace; see mgsub --checkpoint", "-c");
        refuse(table, "prologues are the site's", "-T");
        table.flag(new JobSetting.Unsupported("Millrace holds and starts jobs itself; submit it when it may run"), "-h");
        table.flag(new JobSetting.Unsupported("an interactive job has no place in the queue of Millrace"), "-I");
        table.flag(new JobSetting.Unsupported("a batch job has no display"), "-X");
        table.flag(new JobSetting.Unsupported("it is meant for other programs of PBS"), "-f");
    }

    private static void refuse(final OptionTable table, final String because, final String... names) {
        table.value(text -> new JobSetting.Unsupported(because), names);
    }

    /** {@code queue}, {@code queue@server}. */
    private static JobSetting queue(final String text) throws DirectiveSyntaxException {
        final int at = text.indexOf('@');
        final String name = at < 0 ? text : text.substring(0, at);
        return name.isEmpty()
                ? new JobSetting.Unsupported("a server is no queue; Millrace chooses the cluster")
                : new JobSetting.Partition(SlurmOptions.list(name));
    }

    /** PBS Pro: {@code 1-9:2%3}. */
    private static JobSetting indices(final String text) throws DirectiveSyntaxException {
        return ArrayIndices.slurm(text);
    }

    private static JobSetting mailOn(final String text) throws DirectiveSyntaxException {
        final List<JobSetting.MailEvent> on = new ArrayList<>();
        for (final char letter : text.toCharArray()) {
            switch (letter) {
                case 'a', 'f' -> on.add(JobSetting.MailEvent.FAIL);
                case 'b' -> on.add(JobSetting.MailEvent.BEGIN);
                case 'e' -> on.add(JobSetting.MailEvent.END);
                case 'n', 'p' -> on.add(JobSetting.MailEvent.NONE);
                case 'j', 's' -> {} // for subjobs as well; abroad is implied
                default -> throw new DirectiveSyntaxException("'" + letter + "' is no occasion for mail; PBS knows a, b, e and n");
            }
        }
        return new JobSetting.Mail(on.stream().distinct().toList(), "");
    }

    private static JobSetting variables(final String text) throws DirectiveSyntaxException {
        final Map<String, String> set = new LinkedHashMap<>();
        final List<String> copied = new ArrayList<>();
        for (final String part : VariableList.split(text)) {
            if (!part.isBlank()) {
                VariableList.add(part.strip(), set, copied);
            }
        }
        return new JobSetting.Environment(set, copied, false);
    }

    private static JobSetting rerunnable(final String text) throws DirectiveSyntaxException {
        return switch (text) {
            case "y" -> new JobSetting.Rerunnable(true);
            case "n" -> new JobSetting.Rerunnable(false);
            default -> throw new DirectiveSyntaxException("-r is y or n, not '" + text + "'");
        };
    }

    private static JobSetting shell(final String text) throws DirectiveSyntaxException {
        final String path = text.split("[@,]", 2)[0];
        if (!path.startsWith("/")) {
            throw new DirectiveSyntaxException("'" + text + "' is no absolute path of a shell");
        }
        return new JobSetting.Shell(path);
    }

    private static JobSetting priority(final String text) throws DirectiveSyntaxException {
        if (!text.matches("[+-]?\\d{1,4}")) {
            throw new DirectiveSyntaxException("'" + text + "' is no priority; PBS takes -1024 to 1023");
        }
        return new JobSetting.Priority(Integer.parseInt(text));
    }

    /** {@code depend=afterok:1,afterany:2,umask=022}: what has no name of its own belongs to the one before. */
    private static List<ParsedValue> attributes(final String text) throws DirectiveSyntaxException {
        final List<String> parts = new ArrayList<>();
        for (final String part : text.split(",")) {
            if (part.matches("[A-Za-z_]+=.*") || parts.isEmpty()) {
                parts.add(part.strip());
            } else {
                parts.set(parts.size() - 1, parts.get(parts.size() - 1) + "," + part.strip());
            }
        }
        final List<ParsedValue> meant = new ArrayList<>();
        for (final String part : parts) {
            final int equals = part.indexOf('=');
            if (equals < 1) {
                throw new DirectiveSyntaxException("'" + part + "' is no attribute; write name=value");
            }
            meant.add(new ParsedValue("-W " + part, attribute(part.substring(0, equals), part.substring(equals + 1), part)));
        }
        return meant;
    }

    private static JobSetting attribute(final String name, final String value, final String whole) throws DirectiveSyntaxException {
        return switch (name) {
            case "depend" -> Dependencies.pbs(value);
            case "group_list", "umask", "release_nodes_on_stageout", "tolerate_node_failures" ->
                new JobSetting.SystemSpecific(List.of("-W", whole));
            case "block" -> new JobSetting.Ignored("mgsub --wait waits");
            case "stagein", "stageout" ->
                new JobSetting.Unsupported("Millrace carries the submitted directory there and back; put the files into it");
            default -> new JobSetting.Unsupported("Millrace does not know this attribute");
        };
    }
}
