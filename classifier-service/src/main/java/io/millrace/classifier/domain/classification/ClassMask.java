package io.millrace.classifier.domain.classification;

import java.util.Arrays;

/** Sets of classes as bits, 64 in a word, so that one operation covers many classes. */
final class ClassMask {

    private ClassMask() {}

    static long[] empty(final int classes) {
        return new long[(classes + 63) >>> 6];
    }

    static long[] all(final int classes) {
        final long[] mask = empty(classes);
        for (int i = 0; i < classes; i++) {
            add(mask, i);
        }
        return mask;
    }

    static void add(final long[] mask, final int jobClass) {
        mask[jobClass >>> 6] |= 1L << jobClass;
    }

    /** The classes that are not in the mask; the bits behind the last class are set, too. */
    static long[] complement(final long[] mask) {
        final long[] others = new long[mask.length];
        Arrays.setAll(others, w -> ~mask[w]);
        return others;
    }

    /** Faster than System.arraycopy for the few words of a mask. */
    static void copy(final long[] from, final long[] to) {
        for (int w = 0; w < to.length; w++) {
            to[w] = from[w];
        }
    }

    static void unite(final long[] mask, final long[] other) {
        for (int w = 0; w < mask.length; w++) {
            mask[w] |= other[w];
        }
    }

    static void intersect(final long[] mask, final long[] other) {
        for (int w = 0; w < mask.length; w++) {
            mask[w] &= other[w];
        }
    }

    static void remove(final long[] mask, final long[] removed) {
        for (int w = 0; w < mask.length; w++) {
            mask[w] &= ~removed[w];
        }
    }

    static int size(final long[] mask) {
        int size = 0;
        for (final long word : mask) {
            size += Long.bitCount(word);
        }
        return size;
    }

    static int[] toArray(final long[] mask) {
        final int[] classes = new int[size(mask)];
        int next = 0;
        for (int w = 0; w < mask.length; w++) {
            for (long word = mask[w]; word != 0; word &= word - 1) {
                classes[next++] = (w << 6) + Long.numberOfTrailingZeros(word);
            }
        }
        return classes;
    }
}
