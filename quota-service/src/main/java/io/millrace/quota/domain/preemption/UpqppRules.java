package io.millrace.quota.domain.preemption;

/**
 * Where our user processor quota preemption policy differs from the published pseudo-code (Zhang, "Unified job scheduling and
 * migration across clusters", section 1.1).
 *
 * @param idleCounts whether idle cores count towards the need; else the victims alone must free it, and what they free beyond it is
 *     idle for the next job
 * @param strictly whether idle and freed cores must exceed the need, and an owner's use the quota afterwards; else meeting them is enough
 * @param widePreemptible whether a job wider than its owner's quota may be taken; else it may only while its owner stays above quota
 * @param minimal whether a victim that is not needed is left out, and the largest set of each owner tried where the order misses one that
 *     would do
 */
public record UpqppRules(boolean idleCounts, boolean strictly, boolean widePreemptible, boolean minimal) {

    /** Word for word as published. */
    public static final UpqppRules PAPER = new UpqppRules(false, true, false, false);

    public static final UpqppRules DEFAULT = new UpqppRules(true, false, true, true);

    /**
     * Idle cores that the next job finds. By our rules what victims free beyond the need is promised to nobody before a revision shows
     * it; as published, the next job starts on it and takes nobody.
     */
    public int idleAfter(final int idle, final int freed, final int needed) {
        return idleCounts ? idle - Math.max(0, needed - freed) : idle + freed - needed;
    }

    /** Whether this many cores are enough for that need. */
    public boolean enough(final long cores, final long needed) {
        return strictly ? cores > needed : cores >= needed;
    }
}
