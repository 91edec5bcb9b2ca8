package io.millrace.classifier.domain.extraction;

import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many elements the local id of a pending array names: Slurm writes {@code 123_[1-10,20%4]}, LSF {@code 123[1-10]}. One element
 * ({@code 123_7}, {@code 123[7].server}) and a plain job are one variant; {@code 123[].server} of PBS does not contain the number.
 */
final class ArraySize {

    private static final Pattern BRACKETS = Pattern.compile("\\[([^\\]]*)]");
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(?:-(\\d{1,9})(?::(\\d{1,9}))?)?");

    private ArraySize() {}

    static OptionalLong of(final String localId) {
        final Matcher brackets = BRACKETS.matcher(localId);
        return brackets.find() ? count(brackets.group(1)) : OptionalLong.of(1);
    }

    private static OptionalLong count(final String list) {
        final int limit = list.indexOf('%');
        long elements = 0;
        for (final String part : (limit < 0 ? list : list.substring(0, limit)).split(",", -1)) {
            final Matcher range = PART.matcher(part);
            if (!range.matches()) {
                return OptionalLong.empty();
            }
            elements += elements(range);
        }
        return OptionalLong.of(elements);
    }

    private static long elements(final Matcher range) {
        if (range.group(2) == null) {
            return 1;
        }
        final long step = range.group(3) == null ? 1 : Math.max(1, Long.parseLong(range.group(3)));
        return Math.max(0, Long.parseLong(range.group(2)) - Long.parseLong(range.group(1))) / step + 1;
    }
}
