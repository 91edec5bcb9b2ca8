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
import org.jspecify.annotations.Nullable;

/**
 * The jobs of a user on one cluster that are counted together, and their quota.
 *
 * <p>Q-1: use is the sum of the cores of all jobs that occupy cores. Q-2: a job wider than the quota is entirely borrowed; it does not
 * count towards the quota and is not protected by it.
 */
public final class QuotaAccount {

    private final AccountKey key;
    private final Guarantee cores;
    private final Guarantee gpus;
    private final List<AllocatedJob> jobs = new ArrayList<>();
    /** Jobs whose GPUs exceed the quotas. */
    private final Set<AllocatedJob> beyondGpus = new HashSet<>();

    private int quota;
    private int used;
    private int usedGpus;
    private int runningNarrow;
    private int waiting;
    private int reserved;
    private long requested_core_s;
    private @Nullable QuotaBalance wordsOf;
    private String words = "";

    QuotaAccount(final AccountKey accountKey, final Guarantee cores, final Guarantee gpus) {
        this.key = accountKey;
        this.cores = cores;
        this.gpus = gpus;
        this.quota = clamp(cores.guaranteed());
    }

    private static int clamp(final long figure) {
        return (int) Math.min(figure, Integer.MAX_VALUE);
    }

    void add(final AllocatedJob allocated) {
        jobs.add(allocated);
        count(allocated, 1);
    }

    public void remove(final AllocatedJob allocated) {
        if (jobs.remove(allocated)) {
            count(allocated, -1);
        }
    }

    private void count(final AllocatedJob allocated, final int sign) {
        used = Math.addExact(used, sign * allocated.cores());
        usedGpus += sign * allocated.resources().gpus();
        if (allocated.running() && !isWide(allocated)) {
            runningNarrow += sign * allocated.cores();
        }
    }

    /** Claims the job's cores and GPUs from every quota of the account. */
    void claim(final AllocatedJob allocated) {
        if (allocated.resources().gpus() > gpus.left()) {
            beyondGpus.add(allocated);
        } else {
            gpus.claim(allocated.resources().gpus());
            cores.claim(allocated.cores());
        }
    }

    /** Recomputes the quota after other accounts have claimed. */
    void refresh() {
        quota = clamp(cores.guaranteed());
        runningNarrow = jobs.stream()
                .filter(o -> o.running() && !isWide(o))
                .mapToInt(AllocatedJob::cores)
                .sum();
    }

    /** Core-seconds that the jobs request. */
    long requested_core_s() {
        return requested_core_s;
    }

    void addRequested(final long core_s) {
        requested_core_s = ProcessorHourCheck.sum(requested_core_s, core_s);
    }

    void addWaiting(final int cores) {
        waiting = Math.addExact(waiting, cores);
    }

    public AccountKey key() {
        return key;
    }

    /** Cores that are in use or guaranteed to earlier waiting jobs. */
    int inUseOrReserved() {
        return used + reserved;
    }

    /** Reserves cores for a waiting job. */
    void reserve(final int amount) {
        reserved += amount;
        balances().forEach(cap -> cap.reserve(amount));
    }

    public UserName owner() {
        return key.owner();
    }

    /** Cores that all quotas of the account guarantee. */
    public int quota() {
        return quota;
    }

    /** The tightest quota as text, such as {@code 64 of project:physics}. */
    public String quotaText() {
        return cores.tightest().text();
    }

    /** The same, followed by a space. */
    String quotaWords() {
        final QuotaBalance tightest = cores.tightest();
        if (tightest != wordsOf) {
            wordsOf = tightest;
            words = tightest.text() + " ";
        }
        return words;
    }

    /** Whether the tightest quota is 0, so that all jobs are borrowed. */
    boolean hasZeroQuota() {
        return cores.tightest().size() == 0;
    }

    /** Whether no other account has claimed from the tightest quota. */
    boolean isUnshared() {
        return cores.tightest().size() == quota;
    }

    List<QuotaBalance> balances() {
        return cores.balances();
    }

    /**
     * whether a job of this size, together with all running jobs, is within every quota of the account.
     *
     * @param reserved cores of each quota that are reserved for earlier waiting jobs
     */
    public boolean admits(final Resources job, final ToLongFunction<QuotaBalance> reserved) {
        return cores.admits((long) job.cores() + used, reserved)
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

    public boolean isWide(final AllocatedJob allocated) {
        return allocated.cores() > quota || isBeyondGpus(allocated);
    }

    /** Whether the cores exceed the full size of the tightest quota. */
    boolean isWide(final int wanted) {
        return wanted > cores.tightest().size();
    }

    /** The GPU quota, as text, that a waiting job of this size would exceed. */
    Optional<String> gpuQuotaExceeded(final Resources job) {
        return job.gpus() == 0 || gpus.admits((long) job.gpus() + usedGpus, cap -> 0)
                ? Optional.empty()
                : Optional.of(gpus.tightest().text());
    }

    /** Whether the GPUs of this running job exceed the quotas. */
    boolean isBeyondGpus(final AllocatedJob allocated) {
        return !beyondGpus.isEmpty() && beyondGpus.contains(allocated);
    }

    String gpuQuotaText() {
        return gpus.tightest().text();
    }

    /** Cores in use that count towards the quota: those of jobs not wider than it. */
    int usedWithinQuota() {
        int narrow = 0;
        for (final AllocatedJob allocated : jobs) {
            narrow += isWide(allocated) ? 0 : allocated.cores();
        }
        return Math.min(narrow, quota);
    }

    /** whether the job counts towards the quota and can only be preempted while the other jobs fill it. Wide jobs do not. */
    public boolean countsTowardsQuota(final AllocatedJob allocated, final UpqppRules rules) {
        return !rules.widePreemptible() || !isWide(allocated);
    }

    /** Cores that can be preempted, of those that count. In mode paper all cores in use count, and use must stay above the quota. */
    public long preemptibleCores(final UpqppRules rules) {
        return rules.widePreemptible() ? surplus() : (long) used - quota - (rules.strictly() ? 1 : 0);
    }

    /** Jobs that can be preempted, wide or not. */
    public List<AllocatedJob> preemptible() {
        return jobs.stream().filter(AllocatedJob::preemptible).toList();
    }

    /** Cores of running wide jobs. */
    public int runningWideCores() {
        return jobs.stream()
                .filter(o -> o.running() && isWide(o))
                .mapToInt(AllocatedJob::cores)
                .sum();
    }

    /** Cores by which the running jobs, without wide ones, exceed the quota. */
    private int surplus() {
        return Math.max(0, runningNarrow - quota);
    }

    /** newest first, a job is borrowed if the owner's remaining jobs fill the quota without it. All wide jobs are borrowed. */
    Set<AllocatedJob> borrowedJobs() {
        // By identity: comparing jobs by value would cost more than the rest of the computation.
        final Set<AllocatedJob> borrowed = Collections.newSetFromMap(new IdentityHashMap<>());
        int narrow = 0;
        for (final AllocatedJob allocated : jobs) {
            if (isWide(allocated)) {
                borrowed.add(allocated);
            } else {
                narrow += allocated.cores();
            }
        }
        final Comparator<AllocatedJob> newestFirst = VictimOrder.NEWEST_FIRST.comparator();
        for (final AllocatedJob allocated :
                jobs.stream().filter(o -> !isWide(o)).sorted(newestFirst).toList()) {
            if (narrow - allocated.cores() >= quota) {
                borrowed.add(allocated);
                narrow -= allocated.cores();
            }
        }
        return borrowed;
    }
}
