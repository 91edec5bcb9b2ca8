package io.millrace.quota.libconfig;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a whole file: settings {@code name = value;} or {@code name : value}, in groups, lists and arrays. */
public final class LibConfig {

    private final Words words;

    private LibConfig(final String text) {
        this.words = new Words(text);
    }

    /** @throws SyntaxError at the first error */
    public static Value.Group read(final String text) {
        final LibConfig file = new LibConfig(text);
        final Value.Place start = file.words.place();
        return new Value.Group(file.settings('\0'), start);
    }

    /** Settings up to the closing brace, or to the end of the file. */
    private Map<String, Value> settings(final char end) {
        final Map<String, Value> settings = new LinkedHashMap<>();
        while (!words.atEnd() && !words.isAt(end)) {
            final Value.Place at = words.place();
            final String name = words.name();
            if (!words.take('=') && !words.take(':')) {
                throw words.wrong("expected '=' after '" + name + "'");
            }
            if (settings.put(name, value()) != null) {
                throw new SyntaxError(at, "'" + name + "' is set a second time in the same group");
            }
            if (!words.take(';')) {
                words.take(',');
            }
        }
        if (end != '\0' && !words.take(end)) {
            throw words.wrong("expected '" + end + "' before the end of the file");
        }
        return settings;
    }

    private Value value() {
        final Value.Place at = words.place();
        if (words.take('{')) {
            return new Value.Group(settings('}'), at);
        }
        if (words.take('(')) {
            return new Value.Items(items(')'), at);
        }
        if (words.take('[')) {
            return new Value.Items(items(']'), at);
        }
        if (words.isAt('"')) {
            return new Value.Text(words.strings(), at);
        }
        final String word = words.word();
        return switch (word.toLowerCase(java.util.Locale.ROOT)) {
            case "true" -> new Value.Bool(true, at);
            case "false" -> new Value.Bool(false, at);
            default -> new Value.Number(number(word, at), at);
        };
    }

    private List<Value> items(final char end) {
        final List<Value> items = new ArrayList<>();
        while (!words.take(end)) {
            if (words.atEnd()) {
                throw words.wrong("expected '" + end + "' before the end of the file");
            }
            items.add(value());
            if (!words.take(',') && !words.isAt(end)) {
                throw words.wrong("expected ',' or '" + end + "'");
            }
        }
        return items;
    }

    /** {@code 12}, {@code -3}, {@code 0x1F}, {@code 60000L}, {@code 1.5e3}. */
    private static double number(final String word, final Value.Place at) {
        final String digits = word.replaceFirst("L{1,2}$", "");
        try {
            return digits.matches("[+-]?0[xX].*") ? Long.decode(digits) : readDecimal(digits);
        } catch (final NumberFormatException e) {
            throw new SyntaxError(at, "'" + word + "' is no value; strings stand in double quotes");
        }
    }

    private static double readDecimal(final String digits) {
        if (!digits.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")) {
            throw new NumberFormatException(digits);
        }
        return Double.parseDouble(digits);
    }
}
