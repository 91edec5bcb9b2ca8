package io.millrace.script.directive;

import io.millrace.script.VariableName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Variable lists of {@code --export}, {@code -v} and {@code -env}. */
final class VariableList {

    private VariableList() {}

    /** Splits at commas outside quotes and removes the quotes. */
    static List<String> split(final String text) throws DirectiveSyntaxException {
        final List<String> parts = new ArrayList<>();
        final StringBuilder part = new StringBuilder();
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            final char c = text.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    part.append(c);
                }
            } else if (c == '\'' || c == '"') {
                quote = c;
            } else if (c == '\\' && i + 1 < text.length() && text.charAt(i + 1) == ',') {
                part.append(',');
                i++;
            } else if (c == ',') {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        if (quote != 0) {
            throw new DirectiveSyntaxException("unclosed quote " + quote);
        }
        parts.add(part.toString());
        return parts;
    }

    static void add(final String part, final Map<String, String> set, final List<String> copied)
            throws DirectiveSyntaxException {
        final int equals = part.indexOf('=');
        final String name = equals < 0 ? part : part.substring(0, equals);
        if (!VariableName.isValid(name)) {
            throw new DirectiveSyntaxException("'" + name
                    + "' is not a valid variable name; use letters, digits and underscores, not starting with a digit");
        }
        if (equals < 0) {
            copied.add(name);
        } else {
            set.put(name, part.substring(equals + 1));
        }
    }
}
