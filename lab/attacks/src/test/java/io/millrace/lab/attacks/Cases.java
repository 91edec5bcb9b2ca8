package io.millrace.lab.attacks;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lists of cases from text files: one case per line, empty lines and lines that begin with {@code # } are left out. */
final class Cases {

    private static final Pattern REPEATED = Pattern.compile("<([^<>]*)>\\*(\\d+)");

    private Cases() {}

    static List<String> read(final String file) {
        try (InputStream in = Objects.requireNonNull(
                Cases.class.getResourceAsStream("/attacks/" + file), () -> "no list of cases " + file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("# "))
                    .toList();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A text of a case: {@code \n}, {@code \t}, {@code \\}, a backslash and
     * uXXXX, and {@code <text>*N}, which repeats a text N times. */
    static String text(final String written) {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < written.length(); i++) {
            final char c = written.charAt(i);
            if (c != '\\') {
                text.append(c);
                continue;
            }
            i++;
            switch (written.charAt(i)) {
                case 'n' -> text.append('\n');
                case 'r' -> text.append('\r');
                case 't' -> text.append('\t');
                case '0' -> text.append('\0');
                case 'e' -> text.append('\u001b');
                case 'u' -> {
                    text.append((char) Integer.parseInt(written.substring(i + 1, i + 5), 16));
                    i += 4;
                }
                default -> text.append(written.charAt(i));
            }
        }
        return repeated(text.toString());
    }

    private static String repeated(final String text) {
        return REPEATED.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(found.group(1).repeat(Integer.parseInt(found.group(2)))));
    }

    /** All cases in a whole run; otherwise some of them, chosen by the seed. */
    static <T> List<T> sample(final String test, final List<T> all, final int few) {
        assertThat(all).as("cases of " + test).isNotEmpty();
        if (Sample.isWhole()) {
            return all;
        }
        final List<T> mixed = new ArrayList<>(all);
        Collections.shuffle(mixed, Sample.random(test));
        return mixed.subList(0, Math.min(few, mixed.size()));
    }
}
