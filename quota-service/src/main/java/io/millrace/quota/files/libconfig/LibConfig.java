package io.millrace.quota.files.libconfig;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads a whole file: settings {@code name = value;} or {@code name : value}, in groups, lists and arrays; {@code @include "file"} where a
 * setting may stand.
 */
public final class LibConfig {

    /** As in libconfig; a file that includes itself ends here. */
    private static final int DEEPEST = 10;

    private final Lexer words;
    private final Includes includes;
    private final int depth;

    /** Finds included files. */
    public interface Includes {

        /** No file can be included. */
        Includes NONE = file -> {
            throw new IOException("nothing can be included here");
        };

        /** @param file as it was named */
        String text(String file) throws IOException;
    }

    private LibConfig(final Lexer words, final Includes includes, final int depth) {
        this.words = words;
        this.includes = includes;
        this.depth = depth;
    }

    /** @throws SyntaxError at the first error */
    public static Value.Group read(final String text, final Includes includes) {
        final LibConfig file = new LibConfig(new Lexer(text, null), includes, 0);
        final Value.Position start = file.words.place();
        return new Value.Group(file.settings('\0'), start);
    }

    /** Settings up to the closing brace, or to the end of the file. */
    private Map<String, Value> settings(final char end) {
        final Map<String, Value> settings = new LinkedHashMap<>();
        while (!words.atEnd() && !words.isAt(end)) {
            final Value.Position at = words.place();
            if (words.isAt('@')) {
                included().forEach((name, value) -> set(settings, name, value, at));
                continue;
            }
            final String name = words.name();
            if (!words.take('=') && !words.take(':')) {
                throw words.wrong("expected '=' after '" + name + "'");
            }
            set(settings, name, value(), at);
            if (!words.take(';')) {
                words.take(',');
            }
        }
        if (end != '\0' && !words.take(end)) {
            throw words.wrong("expected '" + end + "' before the end of the file");
        }
        return settings;
    }

    private static void set(
            final Map<String, Value> settings, final String name, final Value value, final Value.Position at) {
        if (settings.put(name, value) != null) {
            throw new SyntaxError(at, "'" + name + "' is set a second time in the same group");
        }
    }

    private Map<String, Value> included() {
        final Value.Position at = words.place();
        final String file = words.include();
        if (depth == DEEPEST) {
            throw new SyntaxError(at, "'" + file + "' is included more than " + DEEPEST + " files deep");
        }
        try {
            return new LibConfig(new Lexer(includes.text(file), file), includes, depth + 1).settings('\0');
        } catch (final IOException e) {
            throw new SyntaxError(at, "'" + file + "' cannot be read: " + e.getMessage());
        }
    }

    private Value value() {
        final Value.Position at = words.place();
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
        return switch (word.toLowerCase(Locale.ROOT)) {
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
    private static double number(final String word, final Value.Position at) {
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
