package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.OptionEffect;
import io.millrace.script.directive.OptionTable.ParsedValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
            final OptionEffect effect =
                    section.group(1).equals("order") ? OptionEffect.NOTHING : null; // a preference among suitable hosts
            for (final JobSetting wish :
                    settings(section.group(1), section.group(2).strip(), section.group())) {
                values.add(new ParsedValue(whole, wish, effect, null));
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

    /**
     * {@code mem=4000:licence=1}, {@code mem=4GB/host}, {@code ngpus_physical=2.00}. Of phases ({@code mem=(10 5):duration=(5 5)}) and of
     * alternatives ({@code mem=10||mem=5}) the greatest need counts, because Millrace plans with one request for the full walltime.
     */
    private static List<JobSetting> reserved(final String text) throws DirectiveSyntaxException {
        final String[] alternatives = text.split("\\|\\|", -1);
        List<JobSetting> greatest = reservedTogether(alternatives[0]);
        for (int i = 1; i < alternatives.length; i++) {
            final List<JobSetting> other = reservedTogether(alternatives[i]);
            if (!(greatest.size() == 1
                    && other.size() == 1
                    && greatest.getFirst() instanceof JobSetting.Memory one
                    && other.getFirst() instanceof JobSetting.Memory two
                    && one.per() == two.per())) {
                throw new DirectiveSyntaxException(
                        "alternatives in rusage can only be amounts of memory, got '" + text + "'; keep one of them");
            }
            greatest = one.mib() >= two.mib() ? greatest : other;
        }
        return greatest;
    }

    private static List<JobSetting> reservedTogether(final String text) throws DirectiveSyntaxException {
        final List<JobSetting> settings = new ArrayList<>();
        for (final String part : text.split("[:,]")) {
            final String[] word = part.strip().split("=", 2);
            if (word.length < 2) {
                throw new DirectiveSyntaxException("'" + part + "' in rusage is not a reservation; use name=amount");
            }
            reservation(word[0].strip(), word[1].strip()).ifPresent(settings::add);
        }
        return settings;
    }

    /** Empty for what only says how long a reservation lasts. */
    private static Optional<JobSetting> reservation(final String name, final String text)
            throws DirectiveSyntaxException {
        final int slash = text.lastIndexOf('/');
        final String unit = slash < 0 ? "host" : text.substring(slash + 1).strip();
        final List<String> phases = phases(slash < 0 ? text : text.substring(0, slash));
        return switch (name) {
            case "mem" ->
                Optional.of(
                        new JobSetting.Memory(mostMemory(phases), slash < 0 ? JobSetting.Per.HOST_OR_SLOT : per(unit)));
            case "ngpus", "ngpus_physical", "ngpus_shared", "ngpus_excl_p" ->
                Optional.of(new JobSetting.Gpus(most(phases, "GPUs"), per(unit), null));
            case "duration", "decay" -> Optional.empty(); // Millrace plans with the full walltime
            case "swp", "tmp", "it", "r15s", "r1m", "r15m", "ut", "pg", "io", "ls" ->
                Optional.of(new JobSetting.SystemSpecific(List.of("-R", "rusage[" + name + "=" + text + "]")));
            default -> {
                final int count = most(phases, "licences");
                if (count < 1) {
                    throw new DirectiveSyntaxException("number of licences must be at least 1, got " + text);
                }
                yield Optional.of(new JobSetting.Licence(name, count));
            }
        };
    }

    /** {@code 10}, {@code (10 5)}. */
    private static List<String> phases(final String text) throws DirectiveSyntaxException {
        final String inside = text.strip();
        if (!inside.startsWith("(")) {
            return List.of(inside);
        }
        if (!inside.endsWith(")") || inside.length() < 3) {
            throw new DirectiveSyntaxException("'" + text + "' is not a list of phases; use (first second)");
        }
        return List.of(inside.substring(1, inside.length() - 1).strip().split("\\s+"));
    }

    private static long mostMemory(final List<String> phases) throws DirectiveSyntaxException {
        long most = 0;
        for (final String phase : phases) {
            most = Math.max(most, Quantities.lsfSize(phase, 'M'));
        }
        return most;
    }

    private static int most(final List<String> phases, final String what) throws DirectiveSyntaxException {
        int most = 0;
        for (final String phase : phases) {
            most = Math.max(most, Quantities.number(phase.replaceAll("\\.0*$", ""), what));
        }
        return most;
    }

    private static JobSetting.Per per(final String word) throws DirectiveSyntaxException {
        return switch (word) {
            case "host" -> JobSetting.Per.NODE;
            case "job" -> JobSetting.Per.JOB;
            case "task" -> JobSetting.Per.TASK;
            default -> throw new DirectiveSyntaxException("'/" + word + "' is not valid; use /host, /task or /job");
        };
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
