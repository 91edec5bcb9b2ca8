package io.millrace.agent.pbs;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the full format of {@code qstat -f}, {@code qmgr -c 'list …'} and {@code pbsnodes -a}: a head line, then indented lines
 * {@code name = value}. Continuation lines of long values begin with a tab. The format has no quoting, so a line break in a user's
 * variable can imitate an attribute. If an attribute occurs twice, callers use the first value: {@code Variable_List} comes after
 * the attributes that matter. Prefer JSON or XML if available.
 */
public final class FullFormat {

    private static final Pattern ATTRIBUTE = Pattern.compile(" {4,5}([A-Za-z_][A-Za-z0-9_.\\-]*) = ?(.*)");

    private FullFormat() {}

    /** @param head matches the head lines; group 1 is the object's name, e.g. {@code Job Id:\s*(\S+)} */
    public static List<PbsObject> read(final String text, final Pattern head) {
        final List<PbsObject> objects = new ArrayList<>();
        PbsObject.Builder current = null;
        String attribute = null;
        StringBuilder value = new StringBuilder();
        for (final String line : text.split("\n", -1)) {
            final Matcher starts = head.matcher(line);
            final Matcher states = ATTRIBUTE.matcher(line);
            if (line.startsWith("\t") && attribute != null) {
                value.append(line, 1, line.length());
                continue;
            }
            if (starts.matches() || states.matches() || line.isBlank()) {
                close(current, attribute, value);
                attribute = null;
            } else if (attribute != null) {
                value.append('\n').append(line);
                continue;
            }
            if (starts.matches()) {
                add(objects, current);
                current = new PbsObject.Builder(starts.group(1));
            } else if (states.matches()) {
                attribute = states.group(1);
                value = new StringBuilder(states.group(2));
            }
        }
        close(current, attribute, value);
        add(objects, current);
        return objects;
    }

    private static void close(
            final PbsObject.@Nullable Builder current, final @Nullable String attribute, final StringBuilder value) {
        if (current != null && attribute != null) {
            current.add(attribute, value.toString());
        }
    }

    private static void add(final List<PbsObject> objects, final PbsObject.@Nullable Builder current) {
        if (current != null) {
            objects.add(current.build());
        }
    }
}
