package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.directive.OptionTable.Argument;
import io.millrace.script.directive.OptionTable.ParsedValue;
import io.millrace.script.directive.OptionTable.Style;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The options of {@code qsub} of PBS Pro and Torque. */
final class PbsOptions {

    static final OptionTable TABLE = table();

    private static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z_]+=");

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
                .value(PbsOptions::arguments, "-F")
                .value(PbsOptions::variables, "-v")
                .flag(new JobSetting.Environment(Map.of(), List.of(), true), "-V")
                .value(PbsOptions::rerunnable, "-r")
                .value(BeginTimes::pbs, "-a")
                .value(PbsOptions::shell, "-S")
                .value(PbsOptions::priority, "-p")
                .values(PbsOptions::attributes, "-W")
                .flag(new JobSetting.Exclusive(true), "-n")
                .value(text -> new JobSetting.Ignored("the directive prefix is now '" + text + "'"), "-C");
        ignored(table);
        refused(table);
        unsupported(table);
        return table;
    }

    private static void ignored(final OptionTable table) {
        final JobSetting output = new JobSetting.Ignored("output goes to one file on every cluster");
        table.value(text -> output, "-j")
                .value(text -> output, "-k")
                .value(text -> output, "-R")
                .flag(new JobSetting.Ignored("mgsub prints its own output"), "-z");
    }

    /** Without these options a job would be another one than its owner described. */
    private static void refused(final OptionTable table) {
        table.refused(Argument.REQUIRED, "a job runs as its owner; remove the option", "-u")
                .refused(
                        Argument.REQUIRED,
                        "the job runs in the submitted directory; choose it with mgsub -d",
                        "-d",
                        "-D",
                        "-w")
                .refused(Argument.NONE, "Millrace holds and starts jobs itself; submit the job when it may start", "-h")
                .refused(Argument.NONE, "interactive jobs cannot be submitted through Millrace", "-I", "-G")
                .refused(Argument.NONE, "it is for a command; submit a script", "-x")
                .refused(Argument.REQUIRED, "request resources with -l", "-L");
    }

    private static void unsupported(final OptionTable table) {
        unsupported(table, "Millrace takes checkpoints; use mgsub --checkpoint", "-c");
        unsupported(table, "only the site can define prologues", "-T");
        unsupported(table, "Millrace sets the time limit of a submission", "-b");
        table.flag(new JobSetting.Unsupported("a batch job has no display"), "-X");
        table.flag(new JobSetting.Unsupported("it is for other PBS programs"), "-f");
    }

    private static void unsupported(final OptionTable table, final String reason, final String... names) {
        table.value(text -> new JobSetting.Unsupported(reason), names);
    }

    /** {@code queue}, {@code queue@server}. */
    private static JobSetting queue(final String text) throws DirectiveSyntaxException {
        final int at = text.indexOf('@');
        final String name = at < 0 ? text : text.substring(0, at);
        return name.isEmpty()
                ? new JobSetting.Unsupported("a server is not a queue; Millrace selects the cluster")
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
                case 'j', 's' -> {} // j: also for subjobs; s: ignored
                default ->
                    throw new DirectiveSyntaxException("'" + letter + "' is not a valid mail event; use a, b, e or n");
            }
        }
        return new JobSetting.Mail(on.stream().distinct().toList(), "");
    }

    /** Torque: one word with all arguments, which it splits as a shell does. */
    private static JobSetting arguments(final String text) throws DirectiveSyntaxException {
        return new JobSetting.Arguments(
                ShellWord.split(text).stream().map(ShellWord::value).toList());
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
            default -> throw new DirectiveSyntaxException("-r must be y or n, got '" + text + "'");
        };
    }

    private static JobSetting shell(final String text) throws DirectiveSyntaxException {
        final String path = text.split("[@,]", 2)[0];
        if (!path.startsWith("/")) {
            throw new DirectiveSyntaxException("shell '" + text + "' must be an absolute path");
        }
        return new JobSetting.Shell(path);
    }

    private static JobSetting priority(final String text) throws DirectiveSyntaxException {
        if (!text.matches("[+-]?\\d{1,4}")) {
            throw new DirectiveSyntaxException("'" + text + "' is not a valid priority; use -1024 to 1023");
        }
        return new JobSetting.Priority(Integer.parseInt(text));
    }

    /** {@code depend=afterok:1,afterany:2,umask=022}. A part without a name belongs to the previous attribute. */
    private static List<ParsedValue> attributes(final String text) throws DirectiveSyntaxException {
        final List<List<String>> attributes = new ArrayList<>();
        for (final String part : text.split(",")) {
            if (ATTRIBUTE.matcher(part).lookingAt() || attributes.isEmpty()) {
                attributes.add(new ArrayList<>());
            }
            attributes.getLast().add(part.strip());
        }
        final List<ParsedValue> values = new ArrayList<>();
        for (final List<String> parts : attributes) {
            final String attribute = String.join(",", parts);
            final int equals = attribute.indexOf('=');
            if (equals < 1) {
                throw new DirectiveSyntaxException("'" + attribute + "' is not an attribute; use name=value");
            }
            values.add(new ParsedValue(
                    "-W " + attribute,
                    attribute(attribute.substring(0, equals), attribute.substring(equals + 1), attribute)));
        }
        return values;
    }

    private static JobSetting attribute(final String name, final String value, final String whole)
            throws DirectiveSyntaxException {
        return switch (name) {
            case "depend" -> Dependencies.pbs(value);
            case "group_list", "umask", "release_nodes_on_stageout", "tolerate_node_failures" ->
                new JobSetting.SystemSpecific(List.of("-W", whole));
            case "block" -> new JobSetting.Ignored("use mgsub --wait");
            case "stagein", "stageout" ->
                throw new DirectiveSyntaxException("Millrace transfers the submitted directory; put the files in it");
            case "sandbox", "pwd", "run_count", "x", "job_radix", "create_resv_from_job", "keep_completed" ->
                new JobSetting.Unsupported("Millrace does not pass this attribute");
            default -> throw new DirectiveSyntaxException("unknown attribute '" + name + "'");
        };
    }
}
