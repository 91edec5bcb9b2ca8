package io.millrace.agent.torque;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/** Prints like qstat and pbsnodes. */
final class FakeTorqueOutput {

    private static final int WIDTH = 78;
    private static final DateTimeFormatter CTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.ROOT);

    private FakeTorqueOutput() {}

    /** A head line, the indented attributes, and an empty line. */
    static String plain(
            final String heading, final Map<String, Object> attributes, final int indent, final ZoneId zone) {
        final StringBuilder text = new StringBuilder(heading).append('\n');
        attributes.forEach((name, value) -> text.append(folded(" ".repeat(indent) + name + " = "
                        + (value instanceof Instant time ? CTIME.format(time.atZone(zone)) : value.toString())))
                .append('\n'));
        return text.append('\n').toString();
    }

    /** Wraps long lines with a line break and a tab, after a comma if possible. */
    static String folded(final String line) {
        final StringBuilder text = new StringBuilder();
        String rest = line;
        while (rest.length() > WIDTH) {
            final int comma = rest.lastIndexOf(',', WIDTH - 1);
            final int cut = comma > 20 ? comma + 1 : WIDTH;
            text.append(rest, 0, cut).append("\n\t");
            rest = rest.substring(cut);
        }
        return text.append(rest).toString();
    }

    static String xml(final String element, final String idTag, final String id, final Map<String, Object> attributes) {
        final StringBuilder text =
                new StringBuilder("<" + element + "><" + idTag + ">" + escaped(id) + "</" + idTag + ">");
        String group = "";
        for (final Map.Entry<String, Object> one : attributes.entrySet()) {
            final int dot = one.getKey().indexOf('.');
            final String next = dot < 0 ? "" : one.getKey().substring(0, dot);
            if (!next.equals(group)) {
                text.append(group.isEmpty() ? "" : "</" + group + ">").append(next.isEmpty() ? "" : "<" + next + ">");
                group = next;
            }
            final String name = one.getKey().substring(dot + 1);
            final String value = one.getValue() instanceof Instant time
                    ? Long.toString(time.getEpochSecond())
                    : escaped(one.getValue().toString());
            text.append('<')
                    .append(name)
                    .append('>')
                    .append(value)
                    .append("</")
                    .append(name)
                    .append('>');
        }
        return text.append(group.isEmpty() ? "" : "</" + group + ">")
                .append("</")
                .append(element)
                .append('>')
                .toString();
    }

    private static String escaped(final String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
