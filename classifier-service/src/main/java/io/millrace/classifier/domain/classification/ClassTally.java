package io.millrace.classifier.domain.classification;

/** Counts, for all classes at once, in how many masks they are. The count of 64 classes is kept as one word for each binary digit. */
final class ClassTally {

    private final int words;
    /** The words of the lowest digit come first. */
    private final long[] digits;

    /** @param most how many masks are added at most */
    ClassTally(final int classes, final int most) {
        words = (classes + 63) >>> 6;
        digits = new long[(32 - Integer.numberOfLeadingZeros(most)) * words];
    }

    void add(final long[] mask) {
        for (int w = 0; w < words; w++) {
            long carry = mask[w];
            for (int d = w; d < digits.length; d += words) {
                final long digit = digits[d];
                digits[d] = digit ^ carry;
                carry &= digit;
            }
        }
    }

    int count(final int jobClass) {
        int count = 0;
        int value = 1;
        for (int d = jobClass >>> 6; d < digits.length; d += words) {
            count += (digits[d] >>> jobClass & 1) == 0 ? 0 : value;
            value <<= 1;
        }
        return count;
    }

    /** The sum of the counts of these classes. */
    long sum(final long[] classes) {
        long sum = 0;
        for (int d = 0; d < digits.length; d += words) {
            long added = 0;
            for (int w = 0; w < words; w++) {
                added += Long.bitCount(digits[d + w] & classes[w]);
            }
            sum += added << d / words;
        }
        return sum;
    }
}
