package io.millrace.quota.domain.preemption;

/**
 * The differences between this user processor quota preemption policy and the published pseudo-code (Zhang, "Unified job scheduling and
 * migration across clusters", section 1.1).
 *
 * @param idleCounts whether idle cores count towards the need; otherwise the victims alone must free it, and cores freed beyond the need are
 *     idle for the next job
 * @param strictly whether idle and freed cores must exceed the need, and an owner's use the quota afterwards; otherwise equality is sufficient
 * @param widePreemptible whether a job wider than its owner's quota can always be preempted; otherwise only while its owner stays above quota
 * @param minimal whether victims that are not needed are removed, and the largest set of each owner is tried if the order misses a sufficient
 *     set
 */
public record UpqppRules(boolean idleCounts, boolean strictly, boolean widePreemptible, boolean minimal) {

    /** Exactly as published. */
    public static final UpqppRules PAPER = new UpqppRules(false, true, false, false);

    public static final UpqppRules DEFAULT = new UpqppRules(true, false, true, true);

    /**
     * Idle cores for the next job. With the default rules, cores freed beyond the need are not used before a revision shows them idle; as
     * published, the next job starts on them.
     */
    public int idleAfter(final int idle, final int freed, final int needed) {
        return idleCounts ? idle - Math.max(0, needed - freed) : idle + freed - needed;
    }

    /** Whether the cores are sufficient for the need. */
    public boolean isSufficient(final long cores, final long needed) {
        return strictly ? cores > needed : cores >= needed;
    }
}
