package io.millrace.agent.lsf.query;

import io.millrace.model.NodeName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.Placement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a job requests.
 *
 * @param runLimit null if it has none
 * @param dependency LSF dependency expression; empty if there is none
 * @param checkpointDirectory empty if the job cannot be checkpointed
 */
public record JobRequest(
        Resources resources,
        Placement placement,
        @Nullable Duration runLimit,
        String dependency,
        String checkpointDirectory,
        String directory) {

    private static final Pattern TASKS =
            Pattern.compile("(?<!\\d)(\\d{1,9})(?:,\\d{1,9})?\\s*+(?:Processors\\s*Requested|Task\\(s\\))");
    private static final Pattern PTILE = Pattern.compile("span\\s*\\[[^\\[\\]]*ptile\\s*=\\s*(\\d{1,9})");
    private static final Pattern ONE_HOST = Pattern.compile("span\\s*\\[[^\\[\\]]*hosts\\s*=\\s*1\\b");
    private static final Pattern MEMORY = Pattern.compile(
            "rusage\\s*\\[[^\\[\\]]*\\bmem\\s*=\\s*(\\d{1,15}(?:\\.\\d{1,6})?)\\s*([KMGT]?)B?(/host|/task|/job)?");
    private static final Pattern SELECT = Pattern.compile("select\\s*\\[([^\\[\\]]*)]");
    private static final Pattern GPUS =
            Pattern.compile("(?:num=|ngpus_physical=|ngpus=)(\\d{1,9})(?:\\.\\d{1,6})?(/task|/job)?");
    private static final Pattern MINUTES = Pattern.compile("(?<![\\d.])(\\d{1,12}(?:\\.\\d{1,6})?) min");
    private static final Pattern SIZE = Pattern.compile("(?<![\\d.])(\\d{1,15}(?:\\.\\d{1,6})?)\\s+([KMGT])\\b");

    static JobRequest of(final LongFormat.Job job, final String submission, final boolean memoryPerSlot) {
        final Fields fields = Fields.of(submission);
        final String requirements = fields.value("RequestedResources");
        final int cores = fields.tasks();
        final int perHost = perHost(requirements, cores);
        final int hosts = perHost > 0 ? Math.ceilDiv(cores, perHost) : 0;
        final Resources requested = resources(
                requirements, String.join(" ", job.section("GPU REQUIREMENT DETAILS:")), cores, hosts, memoryPerSlot);
        return new JobRequest(
                requested.memoryMib() > 0
                        ? requested
                        : new Resources(cores, requested.nodes(), limitMib(job, hosts), requested.gpus()),
                new Placement(
                        features(requirements),
                        perHost,
                        fields.says("Exclusive Execution"),
                        words(fields.value("SpecifiedHosts")).stream()
                                .map(NodeName::of)
                                .toList(),
                        Map.of()),
                runLimit(job),
                fields.value("DependencyCondition"),
                fields.value("Checkpointdirectory"),
                fields.value("CWD"));
    }

    /**
     * The submission, split into values in angle brackets and the labels before them. A value may contain {@code >}, but not {@code >,}
     * or {@code >;}. Users write values, LSF writes labels. The host is followed by words such as {@code on hold}; its name has no {@code >}.
     */
    private record Fields(List<String> labels, List<String> values) {

        static Fields of(final String text) {
            final List<String> labels = new ArrayList<>();
            final List<String> values = new ArrayList<>();
            int from = 0;
            for (int open = text.indexOf('<'); open >= 0; open = text.indexOf('<', from)) {
                final String label = text.substring(from, open);
                final int close = isHost(label) ? first(text, open) : end(text, open);
                labels.add(label);
                values.add(text.substring(open + 1, close));
                from = Math.min(close + 1, text.length());
            }
            labels.add(text.substring(from));
            return new Fields(labels, values);
        }

        private static boolean isHost(final String label) {
            return label.replaceAll("\\s+", "").endsWith("Submittedfromhost");
        }

        private static int first(final String text, final int open) {
            final int close = text.indexOf('>', open);
            return close < 0 ? text.length() : close;
        }

        private static int end(final String text, final int open) {
            int close = text.indexOf('>', open);
            while (close >= 0 && close + 1 < text.length() && ",;".indexOf(text.charAt(close + 1)) < 0) {
                close = text.indexOf('>', close + 1);
            }
            return close < 0 ? text.length() : close;
        }

        /** @param label without blanks, which can be lost where LSF wraps a line */
        String value(final String label) {
            for (int at = 0; at < values.size(); at++) {
                if (labels.get(at).replaceAll("\\s+", "").endsWith(label)) {
                    return values.get(at);
                }
            }
            return "";
        }

        boolean says(final String words) {
            return labels.stream().anyMatch(label -> label.contains(words));
        }

        /** The number of slots; LSF prints it after the directory, which can imitate it. */
        int tasks() {
            return labels.stream()
                    .map(label -> number(TASKS, label, 0))
                    .filter(tasks -> tasks > 0)
                    .reduce(1, (earlier, later) -> later);
        }
    }

    private static int number(final Pattern pattern, final String text, final int otherwise) {
        final Matcher found = pattern.matcher(text);
        return found.find() ? Integer.parseInt(found.group(1)) : otherwise;
    }

    /**
     * What a job of this size requests.
     *
     * @param requirements resource requirement string
     * @param gpus GPU requirement, e.g. {@code num=2:mode=shared}; empty if there is none
     * @param hosts number of hosts, to which reservations apply; 0 if unknown
     * @param memoryPerSlot whether a reservation of memory applies to each slot instead; see {@link ParamsQuery.Params}
     */
    public static Resources resources(
            final String requirements,
            final String gpus,
            final int cores,
            final int hosts,
            final boolean memoryPerSlot) {
        final int perHost = perHost(requirements, cores);
        final int nodes = perHost > 0 ? Math.ceilDiv(cores, perHost) : 0;
        return new Resources(
                cores,
                nodes > 1 ? nodes : 0,
                reservedMib(requirements, hosts, cores, memoryPerSlot),
                gpus(gpus + " " + requirements, hosts, cores));
    }

    /** The slots on each host; 0 if not specified. */
    private static int perHost(final String requirements, final int cores) {
        return ONE_HOST.matcher(requirements).find() ? cores : Math.min(cores, number(PTILE, requirements, 0));
    }

    /** Reserved memory in MiB. */
    private static long reservedMib(
            final String requirements, final int hosts, final int cores, final boolean memoryPerSlot) {
        final Matcher reserved = MEMORY.matcher(requirements);
        return reserved.find()
                ? mib(reserved.group(1), reserved.group(2).isEmpty() ? "M" : reserved.group(2))
                        * times(reserved.group(3) == null && memoryPerSlot ? "/task" : reserved.group(3), hosts, cores)
                : 0;
    }

    /** The memory limit, which counts if no memory is reserved. */
    private static long limitMib(final LongFormat.Job job, final int hosts) {
        final Matcher size = SIZE.matcher(limit(job, "MEMLIMIT", SIZE));
        return size.matches() ? mib(size.group(1), size.group(2)) * Math.max(1, hosts) : 0;
    }

    private static long times(final @Nullable String per, final int hosts, final int slots) {
        return switch (per) {
            case null -> Math.max(1, hosts);
            case "/host" -> Math.max(1, hosts);
            case "/task" -> slots;
            default -> 1;
        };
    }

    static long mib(final String figure, final String unit) {
        final double kib = switch (unit) {
            case "K" -> 1;
            case "M" -> 1024;
            case "G" -> 1024 * 1024;
            case "T" -> 1024.0 * 1024 * 1024;
            default -> throw new IllegalArgumentException("unknown memory unit '" + unit + "'");
        };
        return (long) Math.ceil(Double.parseDouble(figure) * kib / 1024);
    }

    private static int gpus(final String request, final int hosts, final int cores) {
        final Matcher found = GPUS.matcher(request);
        return found.find()
                ? (int) Math.min(
                        Integer.MAX_VALUE, Long.parseLong(found.group(1)) * times(found.group(2), hosts, cores))
                : 0;
    }

    /** Resources requested by name. Only LSF evaluates comparisons. */
    private static List<String> features(final String requirements) {
        final Matcher select = SELECT.matcher(requirements);
        return select.find()
                ? Arrays.stream(select.group(1).split("&&"))
                        .map(String::strip)
                        .filter(word -> word.matches("[A-Za-z_]\\w*"))
                        .toList()
                : List.of();
    }

    /** The RUNLIMIT of a job or queue; null if there is none. */
    public static @Nullable Duration runLimit(final LongFormat.Job job) {
        final Matcher found = MINUTES.matcher(limit(job, "RUNLIMIT", MINUTES));
        return found.matches() ? Duration.ofSeconds(Math.round(Double.parseDouble(found.group(1)) * 60)) : null;
    }

    /** A limit. Limits are printed in a row under their titles: the n-th value of this form belongs to the n-th title of its kind. */
    private static String limit(final LongFormat.Job job, final String title, final Pattern value) {
        final List<String> lines = job.lines();
        for (int at = 0; at + 1 < lines.size(); at++) {
            final List<String> titles = words(lines.get(at).strip());
            final int column = titles.indexOf(title);
            if (column >= 0 && titles.stream().allMatch(word -> word.endsWith("LIMIT"))) {
                final List<String> values = value.matcher(lines.get(at + 1))
                        .results()
                        .map(MatchResult::group)
                        .toList();
                return column < values.size() ? values.get(column) : values.isEmpty() ? "" : values.getLast();
            }
        }
        return "";
    }

    private static List<String> words(final String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
    }
}
