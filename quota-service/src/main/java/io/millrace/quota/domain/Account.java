package io.millrace.quota.domain;

import io.millrace.model.UserName;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What one user occupies on one cluster, against the quota.
 *
 * <p>Q-1: use is the cores of all the user's jobs that occupy cores. Q-2: a job wider than the quota is wholly borrowed; it neither
 * fills the quota nor is it protected by it.
 */
final class Account {

    private final UserName owner;
    private final int quota;
    private final List<Occupant> occupants = new ArrayList<>();
    private int used;
    private int runningNarrow;
    private int waiting;

    Account(final UserName owner, final int quota) {
        this.owner = owner;
        this.quota = quota;
    }

    void add(final Occupant occupant) {
        occupants.add(occupant);
        count(occupant, 1);
    }

    void remove(final Occupant occupant) {
        if (occupants.remove(occupant)) {
            count(occupant, -1);
        }
    }

    private void count(final Occupant occupant, final int sign) {
        used = Math.addExact(used, sign * occupant.cores());
        if (occupant.runs() && !isWide(occupant)) {
            runningNarrow += sign * occupant.cores();
        }
    }

    void addWaiting(final int cores) {
        waiting = Math.addExact(waiting, cores);
    }

    UserName owner() {
        return owner;
    }

    int quota() {
        return quota;
    }

    /** Cores of all jobs that occupy cores. */
    int used() {
        return used;
    }

    int waiting() {
        return waiting;
    }

    List<Occupant> occupants() {
        return occupants;
    }

    boolean isWide(final Occupant occupant) {
        return occupant.cores() > quota;
    }

    boolean isWide(final int cores) {
        return cores > quota;
    }

    /** Cores in use that count against the quota: those of jobs no wider than it. */
    int usedWithinQuota() {
        int narrow = 0;
        for (final Occupant occupant : occupants) {
            narrow += isWide(occupant) ? 0 : occupant.cores();
        }
        return Math.min(narrow, quota);
    }

    /** Wide jobs that may be taken. */
    List<Occupant> takeableWide() {
        return occupants.stream().filter(o -> o.yields() && isWide(o)).toList();
    }

    /** Jobs that may be taken as long as the rest of them still fills the quota. */
    List<Occupant> takeableNarrow() {
        return occupants.stream().filter(o -> o.yields() && !isWide(o)).toList();
    }

    /** Cores in use beyond the quota, as the published policy counts them: those of all jobs. */
    int aboveQuota() {
        return Math.max(0, used - quota);
    }

    /** Jobs that may be taken at all, wide or not. */
    List<Occupant> takeable() {
        return occupants.stream().filter(Occupant::yields).toList();
    }

    /** Cores of wide jobs that run. */
    int runningWide() {
        return occupants.stream()
                .filter(o -> o.runs() && isWide(o))
                .mapToInt(Occupant::cores)
                .sum();
    }

    /** Cores by which the jobs that run exceed the quota; wide ones aside. */
    int surplus() {
        return Math.max(0, runningNarrow - quota);
    }

    /** newest first, a job is borrowed if the owner's remaining jobs fill the quota without it; so are all wide ones. */
    Set<Occupant> borrowed() {
        final Set<Occupant> borrowed = new LinkedHashSet<>();
        int narrow = 0;
        for (final Occupant occupant : occupants) {
            if (isWide(occupant)) {
                borrowed.add(occupant);
            } else {
                narrow += occupant.cores();
            }
        }
        final Comparator<Occupant> newestFirst = VictimOrder.NEWEST_FIRST.comparator(Instant.EPOCH, 0);
        for (final Occupant occupant :
                occupants.stream().filter(o -> !isWide(o)).sorted(newestFirst).toList()) {
            if (narrow - occupant.cores() >= quota) {
                borrowed.add(occupant);
                narrow -= occupant.cores();
            }
        }
        return borrowed;
    }
}
