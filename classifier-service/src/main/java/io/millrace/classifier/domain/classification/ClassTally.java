package io.millrace.classifier.domain.classification;

/** Counts, for all classes at once, in how many masks they are. The count of 64 classes is kept as one word for each binary digit. */
final class ClassTally {

    private final long[][] digits;

    /** @param most how many masks are added at most */
    ClassTally(final int classes, final int most) {
        digits = new long[32 - Integer.numberOfLeadingZeros(most)][(classes + 63) >>> 6];
    }

    void add(final long[] mask) {
        for (int w = 0; w < mask.length; w++) {
            long carry = mask[w];
            for (int d = 0; carry != 0; d++) {
                final long digit = digits[d][w];
                digits[d][w] = digit ^ carry;
                carry &= digit;
            }
        }
    }

    int count(final int jobClass) {
        int count = 0;
        for (int d = 0; d < digits.length; d++) {
            count |= (int) (digits[d][jobClass >>> 6] >>> jobClass & 1) << d;
        }
        return count;
    }
}
