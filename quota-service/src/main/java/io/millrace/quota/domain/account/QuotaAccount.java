package io.millrace.quota.domain.account;

import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.quota.domain.preemption.AccountKey;
import io.millrace.quota.domain.preemption.AllocatedJob;
import io.millrace.quota.domain.preemption.UpqppRules;
import io.millrace.quota.domain.preemption.VictimOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What one user occupies on one cluster, against the quota.
 *
 * <p>Q-1: use is the cores of all the user's jobs that occupy cores. Q-2: a job wider than the quota is wholly borrowed; it neither
 * fills the quota nor is it protected by it.
 */
public final class QuotaAccount {

    private final AccountKey key;
    private final Guarantee cores;
    private final Guarantee gpus;
    private final List<AllocatedJob> jobs = new ArrayList<>();
    /** Jobs with more GPUs than the quotas leave. */
    private final Set<AllocatedJob> beyondGpus = new HashSet<>();

    private int quota;
    private int used;
    private int usedGpus;
    private int runningNarrow;
    private int waiting;

    QuotaAccount(final AccountKey claimant, final Guarantee cores, final Guarantee gpus) {
        this.key = claimant;
        this.cores = cores;
        this.gpus = gpus;
        this.quota = clamp(cores.guaranteed());
    }

    private static int clamp(final long figure) {
        return (int) Math.min(figure, Integer.MAX_VALUE);
    }

    void add(final AllocatedJob occupant) {
        jobs.add(occupant);
        count(occupant, 1);
    }

    public void remove(final AllocatedJob occupant) {
        if (jobs.remove(occupant)) {
            count(occupant, -1);
        }
    }

    private void count(final AllocatedJob occupant, final int sign) {
        used = Math.addExact(used, sign * occupant.cores());
        usedGpus += sign * occupant.resources().gpus();
        if (occupant.running() && !isWide(occupant)) {
            runningNarrow += sign * occupant.cores();
        }
    }

    /** Claims under every quota above what this job occupies. */
    void claim(final AllocatedJob occupant) {
        if (occupant.resources().gpus() > gpus.left()) {
            beyondGpus.add(occupant);
        } else {
            gpus.claim(occupant.resources().gpus());
            cores.claim(occupant.cores());
        }
    }

    /** Looks again at what the quotas leave, after claims of others. */
    void refresh() {
        quota = clamp(cores.guaranteed());
        runningNarrow = jobs.stream()
                .filter(o -> o.running() && !isWide(o))
                .mapToInt(AllocatedJob::cores)
                .sum();
    }

    void addWaiting(final int cores) {
        waiting = Math.addExact(waiting, cores);
    }

    public AccountKey key() {
        return key;
    }

    public UserName owner() {
        return key.owner();
    }

    /** Cores guaranteed under all quotas above. */
    public int quota() {
        return quota;
    }

    /** The quota that decides, in words. */
    public String quotaText() {
        return cores.tightest().text();
    }

    /** Whether a quota is 0, so that everything is borrowed. */
    boolean hasZeroQuota() {
        return cores.tightest().size() == 0;
    }

    /** Whether nobody else draws on the quota that decides. */
    boolean isUnshared() {
        return cores.tightest().size() == quota;
    }

    List<QuotaBalance> balances() {
        return cores.balances();
    }

    /**
     * whether a job of this size, beside all that runs, would be within every quota above.
     *
     * @param spoken cores promised under each quota to waiting work that comes first
     */
    public boolean admits(final Resources job, final ToLongFunction<QuotaBalance> spoken) {
        return cores.admits((long) job.cores() + used, spoken)
                && gpuQuotaExceeded(job).isEmpty();
    }

    /** Cores of all jobs that occupy cores. */
    public int used() {
        return used;
    }

    int usedGpus() {
        return usedGpus;
    }

    int waiting() {
        return waiting;
    }

    List<AllocatedJob> jobs() {
        return jobs;
    }

    public boolean isWide(final AllocatedJob occupant) {
        return occupant.cores() > quota || isBeyondGpus(occupant);
    }

    /** Whether so many cores are more than the quota that decides could ever hold. */
    boolean isWide(final int wanted) {
        return wanted > cores.tightest().size();
    }

    /** The quota of GPUs that a waiting job of this size would exceed, in words. */
    Optional<String> gpuQuotaExceeded(final Resources job) {
        return job.gpus() == 0 || gpus.admits((long) job.gpus() + usedGpus, cap -> 0)
                ? Optional.empty()
                : Optional.of(gpus.tightest().text());
    }

    /** Whether this running job has more GPUs than the quotas leave. */
    boolean isBeyondGpus(final AllocatedJob occupant) {
        return !beyondGpus.isEmpty() && beyondGpus.contains(occupant);
    }

    String gpuQuotaText() {
        return gpus.tightest().text();
    }

    /** Cores in use that count against the quota: those of jobs no wider than it. */
    int usedWithinQuota() {
        int narrow = 0;
        for (final AllocatedJob occupant : jobs) {
            narrow += isWide(occupant) ? 0 : occupant.cores();
        }
        return Math.min(narrow, quota);
    }

    /** whether it fills the quota, so that it may be taken only as long as the rest still does; wide ones do not. */
    public boolean countsTowardsQuota(final AllocatedJob occupant, final UpqppRules rules) {
        return !rules.widePreemptible() || !isWide(occupant);
    }

    /** Cores that may go of those that count; the published policy counts all that are in use, and wants one to be left. */
    public long preemptibleCores(final UpqppRules rules) {
        return rules.widePreemptible() ? surplus() : (long) used - quota - (rules.strictly() ? 1 : 0);
    }

    /** Jobs that may be taken at all, wide or not. */
    public List<AllocatedJob> preemptible() {
        return jobs.stream().filter(AllocatedJob::preemptible).toList();
    }

    /** Cores of wide jobs that run. */
    public int runningWideCores() {
        return jobs.stream()
                .filter(o -> o.running() && isWide(o))
                .mapToInt(AllocatedJob::cores)
                .sum();
    }

    /** Cores by which the jobs that run exceed the quota; wide ones aside. */
    private int surplus() {
        return Math.max(0, runningNarrow - quota);
    }

    /** newest first, a job is borrowed if the owner's remaining jobs fill the quota without it; so are all wide ones. */
    Set<AllocatedJob> borrowedJobs() {
        // By identity: to compare two jobs part by part costs more than all the rest of their right.
        final Set<AllocatedJob> borrowed = Collections.newSetFromMap(new IdentityHashMap<>());
        int narrow = 0;
        for (final AllocatedJob occupant : jobs) {
            if (isWide(occupant)) {
                borrowed.add(occupant);
            } else {
                narrow += occupant.cores();
            }
        }
        final Comparator<AllocatedJob> newestFirst = VictimOrder.NEWEST_FIRST.comparator();
        for (final AllocatedJob occupant :
                jobs.stream().filter(o -> !isWide(o)).sorted(newestFirst).toList()) {
            if (narrow - occupant.cores() >= quota) {
                borrowed.add(occupant);
                narrow -= occupant.cores();
            }
        }
        return borrowed;
    }
}
