package io.millrace.agent.lsf.query;

import java.time.Instant;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The last run in the events of a job.
 *
 * @param hosts in the order of allocation, without duplicates
 */
public record LastRun(@Nullable Instant started, @Nullable Instant finished, List<String> hosts) {

    private static final Pattern START = Pattern.compile("(?:\\[\\d+])?(?:[Ss]tarted|[Dd]ispatched)(\\d|on|to|<).*");
    private static final Pattern FINISH =
            Pattern.compile("(?:\\[\\d+])?(?:Donesuccessfully|Exited|Completed<|Terminated).*");
    private static final Pattern HOST = Pattern.compile("<(?:\\d+\\*)?([^<>]+)>");

    static LastRun read(final List<LongFormat.Event> lines, final Instant now) {
        Instant started = null;
        Instant finished = null;
        List<String> hosts = List.of();
        for (final LongFormat.Event line : lines) {
            if (isStart(line)) {
                started = LsfTime.past(line.time(), now).orElse(null);
                finished = null;
                hosts = hosts(line);
            } else if (isFinish(line)) {
                finished = LsfTime.past(line.time(), now).orElse(null);
            }
        }
        return new LastRun(started, finished, hosts);
    }

    public static boolean isStart(final LongFormat.Event line) {
        return START.matcher(line.compact()).matches();
    }

    public static boolean isFinish(final LongFormat.Event line) {
        return FINISH.matcher(line.compact()).matches();
    }

    /** {@code Started on 2 Hosts/Processors <a> <a>, …}, {@code Started 4 Task(s) on Host(s) <2*a> <2*b>, Allocated …}. */
    private static List<String> hosts(final LongFormat.Event line) {
        final String compact = line.compact();
        final int end = compact.indexOf(',');
        final Matcher host = HOST.matcher(end < 0 ? compact : compact.substring(0, end));
        return host.results().map(found -> found.group(1)).distinct().toList();
    }
}
