package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsObject;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the XML of {@code qstat -x} and {@code pbsnodes -x}: {@code <Data><Job><Job_Id>…</Job_Id><Resource_List><walltime>…}. A
 * standard XML parser would fail, because Torque does not escape characters in user texts that XML forbids.
 */
final class XmlListing {

    private static final Pattern CHARACTER = Pattern.compile("&(lt|gt|amp|quot|apos|#\\d{1,7}|#x[0-9A-Fa-f]{1,6});");

    /** Torque nests three tags. */
    private static final int DEEPEST = 16;

    private XmlListing() {}

    /**
     * Reads all elements of the given name.
     *
     * @param idTag the child element with the object's name, e.g. {@code Job_Id}
     * @throws IllegalArgumentException if the text is not such XML, or incomplete
     */
    static List<PbsObject> read(final String output, final String element, final String idTag) {
        final String text = output.strip();
        if (!text.endsWith("</Data>") && !text.endsWith("<Data/>")) {
            throw new IllegalArgumentException(
                    "the XML is incomplete; it ends with '" + text.substring(Math.max(0, text.length() - 40)) + "'");
        }
        final String opening = "<" + element + ">";
        final String closing = "</" + element + ">";
        final List<PbsObject> things = new ArrayList<>();
        int end = 0;
        for (int at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, end)) {
            end = text.indexOf(closing, at);
            if (end < 0) {
                throw new IllegalArgumentException("element " + opening + " is not closed");
            }
            things.add(thing(text.substring(at + opening.length(), end), idTag));
        }
        return things;
    }

    private record Value(String name, String text) {}

    private static PbsObject thing(final String text, final String idTag) {
        @Nullable String id = null;
        final List<Value> values = new ArrayList<>();
        final Deque<String> open = new ArrayDeque<>();
        int at = 0;
        for (int tag = text.indexOf('<'); tag >= 0; tag = text.indexOf('<', at)) {
            final int end = text.indexOf('>', tag);
            if (end < 0) {
                throw new IllegalArgumentException(
                        "tag is not closed: '" + ListingReader.cut(text.substring(tag)) + "'");
            }
            final String name = text.substring(tag + 1, end);
            if (name.startsWith("/")) {
                final String path = String.join(".", open);
                if (open.isEmpty() || !open.removeLast().equals(name.substring(1))) {
                    throw new IllegalArgumentException("<" + ListingReader.cut(name) + "> has no opening tag");
                }
                final String value = decode(text.substring(at, tag));
                if (path.equals(idTag)) {
                    id = value.strip();
                } else if (!value.isEmpty()) {
                    values.add(new Value(path, value));
                }
            } else if (!name.endsWith("/")) {
                if (open.size() == DEEPEST) {
                    throw new IllegalArgumentException("it has more than " + DEEPEST + " nested tags");
                }
                open.addLast(name);
            }
            at = end + 1;
        }
        if (id == null) {
            throw new IllegalArgumentException("element without <" + idTag + ">");
        }
        final PbsObject.Builder thing = new PbsObject.Builder(id);
        values.forEach(value -> thing.add(value.name(), value.text()));
        return thing.build();
    }

    /** Replaces the five predefined entities of XML, and numeric character references. */
    static String decode(final String text) {
        return text.indexOf('&') < 0
                ? text
                : CHARACTER.matcher(text).replaceAll(found -> Matcher.quoteReplacement(character(found.group(1))));
    }

    private static String character(final String name) {
        return switch (name) {
            case "lt" -> "<";
            case "gt" -> ">";
            case "amp" -> "&";
            case "quot" -> "\"";
            case "apos" -> "'";
            default ->
                Character.toString(Math.min(
                        name.startsWith("#x")
                                ? Integer.parseInt(name.substring(2), 16)
                                : Integer.parseInt(name.substring(1)),
                        Character.MAX_CODE_POINT));
        };
    }
}
