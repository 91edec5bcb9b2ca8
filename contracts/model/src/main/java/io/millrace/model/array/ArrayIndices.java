package io.millrace.model.array;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The indices of an array in the syntax of Slurm, PBS and LSF: {@code 1-5,9,20-98:2}. */
public final class ArrayIndices {

    /** Minimum length of a series with a step; shorter ones are written as single numbers. */
    private static final int LEAST_SERIES = 3;

    private static final Pattern SERIES = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?");

    private record Series(int first, int last, int step) {

        static Series of(final String words) {
            final Matcher series = SERIES.matcher(words);
            if (!series.matches()) {
                throw new IllegalArgumentException(
                        "'" + words + "' is not a range of array indices; write it as 7, 1-9 or 1-9:2");
            }
            final int first = Integer.parseInt(series.group(1));
            final int last = series.group(2) == null ? first : Integer.parseInt(series.group(2));
            final int step = series.group(3) == null ? 1 : Integer.parseInt(series.group(3));
            return new Series(first, last, Math.max(1, step));
        }

        int size() {
            return last < first ? 0 : (last - first) / step + 1;
        }

        IntStream stream() {
            return IntStream.range(0, size()).map(i -> first + i * step);
        }

        String words() {
            return first == last ? "" + first : first + "-" + last + (step == 1 ? "" : ":" + step);
        }
    }

    private ArrayIndices() {}

    /** Writes the indices in ascending order as the shortest list of ranges; empty if there are none. */
    public static String write(final Collection<Integer> indices) {
        final List<Integer> sorted = indices.stream().distinct().sorted().toList();
        final List<Series> series = new ArrayList<>();
        int at = 0;
        while (at < sorted.size()) {
            final int length = length(sorted, at);
            series.add(new Series(sorted.get(at), sorted.get(at + length - 1), length == 1 ? 1 : step(sorted, at)));
            at += length;
        }
        return series.stream().map(Series::words).collect(Collectors.joining(","));
    }

    /**
     * The indices of a list such as {@code 1-5,9,20-98:2}, in its order.
     *
     * @throws IllegalArgumentException if the list is not valid
     */
    public static IntStream read(final String indices) {
        return series(indices).flatMapToInt(Series::stream);
    }

    /** How many indices a list has. @throws IllegalArgumentException if it is not valid */
    public static int count(final String indices) {
        return series(indices).mapToInt(Series::size).reduce(0, Math::addExact);
    }

    /** The first indices of a list, at most so many. */
    public static String first(final String indices, final int atMost) {
        return write(read(indices).limit(atMost).boxed().toList());
    }

    /** The indices of a list that another list also has; empty if there are none. */
    public static String both(final String indices, final String others) {
        final BitSet wanted = set(others);
        return write(read(indices).filter(wanted::get).boxed().toList());
    }

    /** The indices of a list that another list does not have; empty if there are none. */
    public static String without(final String indices, final String others) {
        final BitSet removed = set(others);
        return write(read(indices).filter(index -> !removed.get(index)).boxed().toList());
    }

    /** The indices as a set; empty for an empty list. */
    public static BitSet set(final String indices) {
        final BitSet set = new BitSet();
        if (!indices.isEmpty()) {
            read(indices).forEach(set::set);
        }
        return set;
    }

    /** The indices in lists of at most so many. */
    public static List<String> chunks(final String indices, final int atMost) {
        final List<Integer> all = read(indices).boxed().toList();
        return IntStream.iterate(0, from -> from < all.size(), from -> from + atMost)
                .mapToObj(from -> write(all.subList(from, Math.min(all.size(), from + atMost))))
                .toList();
    }

    private static Stream<Series> series(final String indices) {
        return Arrays.stream(indices.split(",", -1)).map(words -> Series.of(words.strip()));
    }

    /** Whether a list such as {@code 1-5,9,20-98:2} contains this index; false if the list is not valid. */
    public static boolean contains(final String indices, final String index) {
        return index.matches("\\d{1,9}")
                && Arrays.stream(indices.split(",")).anyMatch(words -> isIn(words, Integer.parseInt(index)));
    }

    private static boolean isIn(final String words, final int index) {
        if (!SERIES.matcher(words).matches()) {
            return false;
        }
        final Series series = Series.of(words);
        return index >= series.first() && index <= series.last() && (index - series.first()) % series.step() == 0;
    }

    /** Number of evenly spaced indices from this position on. */
    private static int length(final List<Integer> sorted, final int from) {
        if (from + 1 == sorted.size()) {
            return 1;
        }
        final int step = step(sorted, from);
        int length = 2;
        while (from + length < sorted.size() && sorted.get(from + length) - sorted.get(from + length - 1) == step) {
            length++;
        }
        return step == 1 || length >= LEAST_SERIES ? length : 1;
    }

    private static int step(final List<Integer> sorted, final int from) {
        return sorted.get(from + 1) - sorted.get(from);
    }
}
