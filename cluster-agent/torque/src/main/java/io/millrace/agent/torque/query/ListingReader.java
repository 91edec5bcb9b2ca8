package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.FullFormat;
import io.millrace.agent.pbs.PbsObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads the output of a query for jobs, queues, nodes or the server, in XML or plain text. */
public final class ListingReader {

    private static final Pattern JOB = Pattern.compile("Job Id: ?(\\S+)\\s*");
    private static final Pattern QUEUE = Pattern.compile("Queue: ?(\\S+)\\s*");
    private static final Pattern SERVER = Pattern.compile("Server: ?(\\S+)\\s*");
    private static final Pattern NODE = Pattern.compile("(\\S+)\\s*");

    private ListingReader() {}

    /** @throws IllegalArgumentException if the output is not a listing, or incomplete */
    static List<PbsObject> jobs(final String output) {
        return read(output, "Job", "Job_Id", JOB);
    }

    /** @throws IllegalArgumentException if the output is not a listing, or incomplete */
    static List<PbsObject> nodes(final String output) {
        return read(output, "Node", "name", NODE);
    }

    /** @throws IllegalArgumentException if the output is not a listing, or incomplete */
    static List<PbsObject> queues(final String output) {
        return read(output, "Queue", "queue", QUEUE);
    }

    /** @throws IllegalArgumentException if the output is not a listing, or incomplete */
    static List<PbsObject> servers(final String output) {
        return read(output, "Server", "server", SERVER);
    }

    private static List<PbsObject> read(
            final String output, final String element, final String idTag, final Pattern head) {
        if (output.isBlank()) {
            return List.of();
        }
        return output.stripLeading().startsWith("<")
                ? XmlListing.read(output, element, idTag)
                : onlyOnce(plain(output, head));
    }

    private static List<PbsObject> plain(final String output, final Pattern head) {
        final String first =
                output.lines().filter(line -> !line.isBlank()).findFirst().orElse("");
        if (!head.matcher(first).matches()) {
            throw new IllegalArgumentException("it starts with '" + cut(first) + "'");
        }
        // Each object ends with an empty line, including the last one.
        if (!output.endsWith("\n\n")) {
            final String text = output.stripTrailing();
            throw new IllegalArgumentException("it is incomplete; it ends with '"
                    + text.substring(Math.max(0, text.length() - 40)).replace("\n", "; ") + "'");
        }
        return FullFormat.read(output, head);
    }

    /** Removes repeated ids. A line break in a user's variable can imitate the head of a job, so the first one counts. */
    private static List<PbsObject> onlyOnce(final List<PbsObject> things) {
        final Map<String, PbsObject> named = new LinkedHashMap<>();
        things.forEach(thing -> named.putIfAbsent(thing.name(), thing));
        return List.copyOf(named.values());
    }

    public static String cut(final String line) {
        return line.length() <= 80 ? line : line.substring(0, 80) + "…";
    }
}
