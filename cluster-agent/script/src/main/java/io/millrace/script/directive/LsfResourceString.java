package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.directive.OptionTable.ParsedValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the resource requirement string of {@code -R}: {@code select[bigmem] rusage[mem=4000] span[ptile=8] affinity[core(2)]}. */
public final class LsfResourceString {

    private static final Pattern SECTION = Pattern.compile("(?<![a-z])([a-z]++)\\[([^\\[\\]]*)\\]");
    private static final Pattern CORES = Pattern.compile("(?:core|thread)\\s*\\(\\s*(\\d{1,6})[^)]*\\).*");

    private LsfResourceString() {}

    static List<ParsedValue> read(final String text) throws DirectiveSyntaxException {
        final List<ParsedValue> values = new ArrayList<>();
        final Matcher section = SECTION.matcher(text);
        int end = 0;
        while (section.find()) {
            requireBlank(text.substring(end, section.start()), text);
            end = section.end();
            final String whole = "-R \"" + section.group() + "\"";
            for (final JobSetting wish :
                    settings(section.group(1), section.group(2).strip(), section.group())) {
                values.add(new ParsedValue(whole, wish));
            }
        }
        if (end == 0 && !text.isBlank() && !text.contains("[")) {
            return List.of(
                    new ParsedValue("-R \"" + text + "\"", selected(text.strip(), "select[" + text.strip() + "]")));
        }
        requireBlank(text.substring(end), text);
        return values;
    }

    /** Whether LSF treats a reservation of this name as licences, and not as memory, GPUs, load or time. */
    public static boolean isLicence(final String name) {
        try {
            final List<JobSetting> read = reserved(name + "=1");
            return read.size() == 1 && read.get(0) instanceof JobSetting.Licence;
        } catch (final DirectiveSyntaxException e) {
            return false;
        }
    }

    private static void requireBlank(final String between, final String text) throws DirectiveSyntaxException {
        if (!between.isBlank()) {
            throw new DirectiveSyntaxException(
                    "'" + text + "' is not supported; use sections such as select[…] rusage[…] span[…]");
        }
    }

    private static List<JobSetting> settings(final String section, final String text, final String whole)
            throws DirectiveSyntaxException {
        return switch (section) {
            case "span" -> List.of(span(text));
            case "rusage" -> reserved(text);
            case "affinity" -> List.of(affinity(text));
            case "select" -> List.of(selected(text, whole));
            case "order", "same" -> List.of(new JobSetting.SystemSpecific(List.of("-R", whole)));
            case "cu" ->
                List.of(
                        text.matches("(.*:)?\\s*excl\\s*(:.*)?")
                                ? new JobSetting.Unsupported("an exclusive compute unit is more than was granted")
                                : new JobSetting.SystemSpecific(List.of("-R", whole)));
            default -> throw new DirectiveSyntaxException("unknown section '" + section + "'");
        };
    }

    private static JobSetting span(final String text) throws DirectiveSyntaxException {
        final String[] word = text.split("=", 2);
        if (word.length == 2
                && word[0].strip().equals("ptile")
                && word[1].strip().matches("\\d+")) {
            return new JobSetting.TasksPerNode(Quantities.positive(word[1].strip(), "slots per host"));
        }
        if (word.length == 2 && word[0].strip().equals("hosts")) {
            return word[1].strip().equals("-1")
                    ? new JobSetting.Ignored("no constraint")
                    : new JobSetting.Nodes(Quantities.positive(word[1].strip(), "hosts"));
        }
        return new JobSetting.SystemSpecific(List.of("-R", "span[" + text + "]"));
    }

    /** {@code mem=4000:licence=1}, {@code mem=4GB/host}, {@code ngpus_physical=2.00}. Durations of reservations are ignored. */
    private static List<JobSetting> reserved(final String text) throws DirectiveSyntaxException {
        final List<JobSetting> settings = new ArrayList<>();
        for (final String part : text.split("[:,]")) {
            final String[] word = part.strip().split("=", 2);
            if (word.length < 2) {
                throw new DirectiveSyntaxException("'" + part + "' in rusage is not a reservation; use name=amount");
            }
            final String[] amount = word[1].split("/", 2);
            switch (word[0].strip()) {
                case "mem" ->
                    settings.add(new JobSetting.Memory(
                            Quantities.lsfSize(amount[0].strip(), 'M'),
                            amount.length < 2
                                    ? JobSetting.Per.NODE
                                    : switch (amount[1].strip()) {
                                        case "job" -> JobSetting.Per.JOB;
                                        case "task" -> JobSetting.Per.TASK;
                                        default -> JobSetting.Per.NODE;
                                    }));
                case "ngpus", "ngpus_physical", "ngpus_shared", "ngpus_excl_p" ->
                    settings.add(new JobSetting.Gpus(
                            Quantities.number(amount[0].strip().replaceAll("\\.0*$", ""), "GPUs"),
                            JobSetting.Per.NODE,
                            null));
                case "duration", "decay" -> {} // Millrace plans with the full walltime
                case "swp", "tmp", "it", "r15s", "r1m", "r15m", "ut", "pg", "io", "ls" ->
                    settings.add(new JobSetting.SystemSpecific(List.of("-R", "rusage[" + part.strip() + "]")));
                default ->
                    settings.add(new JobSetting.Licence(
                            word[0].strip(),
                            Quantities.positive(amount[0].strip().replaceAll("\\.0*$", ""), "licences")));
            }
        }
        return settings;
    }

    /** Only cores are supported: the script cannot know how many cores a socket or NUMA node has. */
    private static JobSetting affinity(final String text) {
        final Matcher m = CORES.matcher(text);
        return m.matches()
                ? new JobSetting.CoresPerTask(Math.max(1, Integer.parseInt(m.group(1))))
                : new JobSetting.Unsupported(
                        "binding to sockets or NUMA nodes can use more cores than granted; use core(n)");
    }

    /** Feature names are translated; comparisons are specific to LSF. */
    private static JobSetting selected(final String text, final String whole) {
        final List<String> names =
                Arrays.stream(text.split("&&", -1)).map(String::strip).toList();
        return names.stream().allMatch(name -> name.matches("[A-Za-z_][\\w.-]*"))
                ? new JobSetting.Feature(String.join("&", names))
                : new JobSetting.SystemSpecific(List.of("-R", whole));
    }
}
