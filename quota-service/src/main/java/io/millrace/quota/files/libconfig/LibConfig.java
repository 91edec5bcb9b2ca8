package io.millrace.quota.files.libconfig;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads a whole file: settings {@code name = value;} or {@code name : value}, in groups, lists and arrays, and {@code @include "file"} in place of
 * a setting.
 */
public final class LibConfig {

    /** As in libconfig; stops a file that includes itself. */
    private static final int DEEPEST = 10;

    private final Lexer lexer;
    private final Includes includes;
    private final int depth;

    /** Finds included files. */
    public interface Includes {

        /** No file can be included. */
        Includes NONE = file -> {
            throw new IOException("include is not supported here");
        };

        /** @param file the name as written */
        String text(String file) throws IOException;
    }

    private LibConfig(final Lexer lexer, final Includes includes, final int depth) {
        this.lexer = lexer;
        this.includes = includes;
        this.depth = depth;
    }

    /** @throws SyntaxError at the first error */
    public static Value.Group read(final String text, final Includes includes) {
        final LibConfig file = new LibConfig(new Lexer(text, null), includes, 0);
        final Value.Position start = file.lexer.position();
        return new Value.Group(file.settings('\0'), start);
    }

    /** Settings up to the closing brace, or to the end of the file. */
    private Map<String, Value> settings(final char end) {
        final Map<String, Value> settings = new LinkedHashMap<>();
        while (!lexer.atEnd() && !lexer.isAt(end)) {
            final Value.Position at = lexer.position();
            if (lexer.isAt('@')) {
                included().forEach((name, value) -> set(settings, name, value, at));
                continue;
            }
            final String name = lexer.name();
            if (!lexer.take('=') && !lexer.take(':')) {
                throw lexer.error("expected '=' after '" + name + "'");
            }
            set(settings, name, value(), at);
            if (!lexer.take(';')) {
                lexer.take(',');
            }
        }
        if (end != '\0' && !lexer.take(end)) {
            throw lexer.error("expected '" + end + "' before the end of the file");
        }
        return settings;
    }

    private static void set(
            final Map<String, Value> settings, final String name, final Value value, final Value.Position at) {
        if (settings.put(name, value) != null) {
            throw new SyntaxError(at, "'" + name + "' is set twice in the same group: remove one of them");
        }
    }

    private Map<String, Value> included() {
        final Value.Position at = lexer.position();
        final String file = lexer.include();
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
        final Value.Position at = lexer.position();
        if (lexer.take('{')) {
            return new Value.Group(settings('}'), at);
        }
        if (lexer.take('(')) {
            return new Value.Items(items(')'), at);
        }
        if (lexer.take('[')) {
            return new Value.Items(items(']'), at);
        }
        if (lexer.isAt('"')) {
            return new Value.Text(lexer.strings(), at);
        }
        final String word = lexer.word();
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "true" -> new Value.Bool(true, at);
            case "false" -> new Value.Bool(false, at);
            default -> new Value.Number(number(word, at), at);
        };
    }

    private List<Value> items(final char end) {
        final List<Value> items = new ArrayList<>();
        while (!lexer.take(end)) {
            if (lexer.atEnd()) {
                throw lexer.error("expected '" + end + "' before the end of the file");
            }
            items.add(value());
            if (!lexer.take(',') && !lexer.isAt(end)) {
                throw lexer.error("expected ',' or '" + end + "'");
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
            throw new SyntaxError(at, "'" + word + "' is not a valid value; put strings in double quotes");
        }
    }

    private static double readDecimal(final String digits) {
        if (!digits.matches("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?")) {
            throw new NumberFormatException(digits);
        }
        return Double.parseDouble(digits);
    }
}
