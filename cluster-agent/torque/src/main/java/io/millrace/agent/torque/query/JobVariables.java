package io.millrace.agent.torque.query;

import io.millrace.model.AttemptId;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a job submitted by Millrace: attempt, name and directory, encoded so that {@code Variable_List} needs no quoting
 * in any version. Only the owner and operators can read a job's variables.
 */
public final class JobVariables {

    public static final String ATTEMPT = "MILLRACE_ATTEMPT";
    public static final String NAME = "MILLRACE_NAME";
    public static final String DIRECTORY = "MILLRACE_DIRECTORY";
    /** Set if the cores can be on any nodes. */
    public static final String SPREAD = "MILLRACE_SPREAD";

    private static final Pattern ATTEMPT_ID = Pattern.compile("[0-7][0-9A-HJKMNP-TV-Z]{25}\\.[1-9][0-9]{0,8}");

    private JobVariables() {}

    /** Encodes all characters except letters, digits, dot, underscore and dash as {@code %XX} of their UTF-8 bytes. */
    public static String encode(final String text) {
        final StringBuilder plain = new StringBuilder();
        for (final byte one : text.getBytes(StandardCharsets.UTF_8)) {
            final char letter = (char) (one & 0xff);
            if (letter < 128 && (Character.isLetterOrDigit(letter) || "._-".indexOf(letter) >= 0)) {
                plain.append(letter);
            } else {
                plain.append('%').append("%02X".formatted(one & 0xff));
            }
        }
        return plain.toString();
    }

    public static String decode(final String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (final IllegalArgumentException e) {
            return text; // set by the user, not by Millrace
        }
    }

    /** Parses {@code Variable_List}. Values of other variables can contain commas and are then cut; Millrace's do not. */
    static Map<String, String> read(final String variableList) {
        final Map<String, String> variables = new LinkedHashMap<>();
        for (final String item : variableList.split(",")) {
            final int equals = item.indexOf('=');
            if (equals > 0) {
                variables.put(item.substring(0, equals).strip(), item.substring(equals + 1));
            }
        }
        return variables;
    }

    static @Nullable public AttemptId attempt(final Map<String, String> variables) {
        final String text = variables.getOrDefault(ATTEMPT, "");
        return ATTEMPT_ID.matcher(text).matches() ? AttemptId.of(text) : null;
    }

    /** A job name that every version accepts: printable ASCII without blanks, starts with a letter, up to 15 characters. */
    public static String shortName(final String name) {
        final String plain = name.strip().replaceAll("[^A-Za-z0-9_.-]", "_");
        final String valid = plain.isEmpty() || !Character.isLetter(plain.charAt(0)) ? "j" + plain : plain;
        return valid.length() <= 15 ? valid : valid.substring(0, 15);
    }
}
