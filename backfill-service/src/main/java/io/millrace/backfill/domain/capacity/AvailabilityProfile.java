package io.millrace.backfill.domain.capacity;

import io.millrace.backfill.domain.ShadowTime;
import java.util.Arrays;

/**
 * Free cores over time: a step function, kept as a balanced tree (treap) of its steps. Each subtree knows the sum of its steps and the
 * lowest and highest level that they reach. Taking cores for a period, and finding the next time at which enough (or too few) cores are
 * free, each take O(log n) steps.
 */
public final class AvailabilityProfile {

    private static final int NIL = 0;

    private long[] at_s = new long[64];
    private int[] step = new int[64];
    private long[] sum = new long[64];
    private long[] lowest = new long[64];
    private long[] highest = new long[64];
    private int[] left = new int[64];
    private int[] right = new int[64];
    private int[] weight = new int[64];
    private int used = 1;
    private int spare = NIL;
    private int size;
    private int root = NIL;
    private int chance = 0x9E3779B9;
    /** The level before the first step. */
    private long base;

    private long found_s;

    /** @param cores free before any are taken */
    public AvailabilityProfile(final int cores) {
        base = cores;
        lowest[NIL] = Long.MAX_VALUE / 2;
        highest[NIL] = Long.MIN_VALUE / 2;
    }

    /** Number of steps; 0 if the same number of cores is always free. */
    public int steps() {
        return size;
    }

    /** Takes cores from one time (inclusive) to another (exclusive); releases them if negative. */
    public void take(final long from_s, final long until_s, final int cores) {
        if (from_s < until_s && cores != 0) {
            root = change(root, from_s, -cores);
            root = change(root, until_s, cores);
        }
    }

    /** Adds cores from a time on, without end; removes them if negative. */
    void addFrom(final long from_s, final int cores) {
        if (cores != 0) {
            root = change(root, from_s, cores);
        }
    }

    public long freeAt(final long time_s) {
        long level = base;
        int node = root;
        while (node != NIL) {
            if (at_s[node] <= time_s) {
                level += sum[left[node]] + step[node];
                node = right[node];
            } else {
                node = left[node];
            }
        }
        return level;
    }

    /** The earliest time, not before {@code from_s}, at which these cores are free for this length; {@link ShadowTime#NEVER} if there is none. */
    public long earliest(final long from_s, final long length_s, final int cores) {
        long start = from_s;
        if (freeAt(from_s) < cores) {
            start = nextAtLeast(from_s, cores);
        }
        while (start < ShadowTime.NEVER) {
            final long until = nextBelow(start, cores);
            if (until >= ShadowTime.NEVER || until - start >= length_s) {
                return start;
            }
            start = nextAtLeast(until, cores);
        }
        return ShadowTime.NEVER;
    }

    /** Whether these cores are free from that time for this length. */
    public boolean fits(final long from_s, final long length_s, final int cores) {
        if (freeAt(from_s) < cores) {
            return false;
        }
        final long until = nextBelow(from_s, cores);
        return until >= ShadowTime.NEVER || until - from_s >= length_s;
    }

    /** Removes the steps up to a time; their sum becomes the first level. */
    void forgetUntil(final long time_s) {
        while (root != NIL) {
            int first = root;
            while (left[first] != NIL) {
                first = left[first];
            }
            if (at_s[first] > time_s) {
                return;
            }
            base += step[first];
            root = change(root, at_s[first], -step[first]);
        }
    }

    private long nextAtLeast(final long after_s, final long level) {
        found_s = ShadowTime.NEVER;
        findAtLeast(root, base, after_s, level);
        return found_s;
    }

    private boolean findAtLeast(final int node, final long before, final long after_s, final long level) {
        if (node == NIL || before + highest[node] < level) {
            return false;
        }
        final long here = before + sum[left[node]] + step[node];
        if (at_s[node] > after_s) {
            if (findAtLeast(left[node], before, after_s, level)) {
                return true;
            }
            if (here >= level) {
                found_s = at_s[node];
                return true;
            }
        }
        return findAtLeast(right[node], here, after_s, level);
    }

    private long nextBelow(final long after_s, final long level) {
        found_s = ShadowTime.NEVER;
        findBelow(root, base, after_s, level);
        return found_s;
    }

    private boolean findBelow(final int node, final long before, final long after_s, final long level) {
        if (node == NIL || before + lowest[node] >= level) {
            return false;
        }
        final long here = before + sum[left[node]] + step[node];
        if (at_s[node] > after_s) {
            if (findBelow(left[node], before, after_s, level)) {
                return true;
            }
            if (here < level) {
                found_s = at_s[node];
                return true;
            }
        }
        return findBelow(right[node], here, after_s, level);
    }

    private int change(final int node, final long time_s, final int by) {
        if (node == NIL) {
            return leaf(time_s, by);
        }
        int top = node;
        if (time_s == at_s[node]) {
            step[node] += by;
            if (step[node] == 0) {
                final int rest = join(left[node], right[node]);
                free(node);
                return rest;
            }
        } else if (time_s < at_s[node]) {
            // The call must come before the field access, because it may replace the arrays.
            final int child = change(left[node], time_s, by);
            left[node] = child;
            if (left[node] != NIL && weight[left[node]] > weight[node]) {
                top = left[node];
                left[node] = right[top];
                right[top] = node;
                gather(node);
            }
        } else {
            final int child = change(right[node], time_s, by);
            right[node] = child;
            if (right[node] != NIL && weight[right[node]] > weight[node]) {
                top = right[node];
                right[node] = left[top];
                left[top] = node;
                gather(node);
            }
        }
        gather(top);
        return top;
    }

    private int join(final int one, final int other) {
        if (one == NIL || other == NIL) {
            return one == NIL ? other : one;
        }
        if (weight[one] > weight[other]) {
            right[one] = join(right[one], other);
            gather(one);
            return one;
        }
        left[other] = join(one, left[other]);
        gather(other);
        return other;
    }

    private void gather(final int node) {
        final int l = left[node];
        final int r = right[node];
        final long here = sum[l] + step[node];
        sum[node] = here + sum[r];
        lowest[node] = Math.min(lowest[l], Math.min(here, here + lowest[r]));
        highest[node] = Math.max(highest[l], Math.max(here, here + highest[r]));
    }

    private int leaf(final long time_s, final int by) {
        int node = spare;
        if (node != NIL) {
            spare = right[node];
        } else {
            if (used == at_s.length) {
                grow();
            }
            node = used++;
        }
        // xorshift: the shape of the tree depends only on the order of the calls.
        chance ^= chance << 13;
        chance ^= chance >>> 17;
        chance ^= chance << 5;
        at_s[node] = time_s;
        step[node] = by;
        left[node] = NIL;
        right[node] = NIL;
        weight[node] = chance;
        size++;
        gather(node);
        return node;
    }

    private void free(final int node) {
        right[node] = spare;
        spare = node;
        size--;
    }

    private void grow() {
        final int more = used * 2;
        at_s = Arrays.copyOf(at_s, more);
        step = Arrays.copyOf(step, more);
        sum = Arrays.copyOf(sum, more);
        lowest = Arrays.copyOf(lowest, more);
        highest = Arrays.copyOf(highest, more);
        left = Arrays.copyOf(left, more);
        right = Arrays.copyOf(right, more);
        weight = Arrays.copyOf(weight, more);
    }
}
