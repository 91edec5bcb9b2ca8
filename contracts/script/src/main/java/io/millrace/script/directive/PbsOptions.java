package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.directive.OptionFile.Parsers;
import io.millrace.script.directive.OptionTable.Entry;
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
        final Parsers parsers = new Parsers()
                .value("-N", JobSetting.Name::new)
                .values("-l", PbsResources::read)
                .value("-q", PbsOptions::queue)
                .value("-A", JobSetting.Project::new)
                .value("-P", JobSetting.Project::new)
                .value("-o", JobSetting.Output::new)
                .value("-e", JobSetting.Error::new)
                .value("-J", ArrayIndices::slurm)
                .value("-t", ArrayIndices::slurm)
                .value("-m", PbsOptions::mailOn)
                .value("-M", text -> new JobSetting.Mail(List.of(), text))
                .value("-F", PbsOptions::arguments)
                .value("-v", PbsOptions::variables)
                .flag("-V", new JobSetting.Environment(Map.of(), List.of(), true))
                .value("-r", PbsOptions::rerunnable)
                .value("-a", BeginTimes::pbs)
                .flag("-h", new JobSetting.Hold())
                .value("-d", SlurmOptions::directory)
                .value("-S", PbsOptions::shell)
                .value("-p", PbsOptions::priority)
                .values("-W", PbsOptions::attributes)
                .value("-W depend", Dependencies::pbs)
                .flag("-n", new JobSetting.Exclusive(true))
                .value("-C", text -> new JobSetting.Ignored("the directive prefix is now '" + text + "'"));
        PbsResources.addTo(parsers);
        return OptionFile.read(Style.SHORT, "pbs.txt", parsers);
    }

    /** {@code queue}, {@code queue@server}. */
    private static JobSetting queue(final String text) throws DirectiveSyntaxException {
        final int at = text.indexOf('@');
        final String name = at < 0 ? text : text.substring(0, at);
        return name.isEmpty()
                ? new JobSetting.Unsupported("a server is not a queue; Millrace selects the cluster")
                : new JobSetting.Partition(SlurmOptions.list(name));
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
            final String name = attribute.substring(0, equals);
            final Entry entry = TABLE.byName("-W " + name);
            if (entry == null) {
                throw new DirectiveSyntaxException(TABLE.unknown("-W " + name));
            }
            for (final ParsedValue value : entry.parser().of(attribute.substring(equals + 1))) {
                values.add(value.partOf(entry, "-W " + attribute));
            }
        }
        return values;
    }
}
