package io.millrace.model;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The known name that a misspelt one most likely means. */
public final class NearestName {

    private NearestName() {}

    /** Returns the known name with the fewest edits, if at most half of its letters differ. Case and underscores are ignored. */
    public static Optional<String> of(final String unknown, final Collection<String> known) {
        return known.stream()
                .filter(name -> edits(plain(unknown), plain(name)) * 2 <= name.length())
                .min(Comparator.comparingInt(name -> edits(plain(unknown), plain(name))));
    }

    /** A message for users: {@code 'runing' is not a state; did you mean 'running'? Use one of …}. */
    public static String unknown(final String what, final String word, final List<String> known) {
        return "'" + word + "' is not a " + what
                + of(word, known)
                        .map(name -> "; did you mean '" + name + "'? U")
                        .orElse("; u") + "se one of "
                + String.join(", ", known);
    }

    private static String plain(final String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    /** The Levenshtein distance: insertions, deletions and replacements that turn one text into the other. */
    private static int edits(final String from, final String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            final int[] next = new int[to.length() + 1];
            next[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                final int replaced = row[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                next[j] = Math.min(replaced, Math.min(row[j], next[j - 1]) + 1);
            }
            row = next;
        }
        return row[to.length()];
    }
}
