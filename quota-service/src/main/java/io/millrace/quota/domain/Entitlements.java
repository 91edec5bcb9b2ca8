package io.millrace.quota.domain;

import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Entitlement.Right;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The right of every job. Text before the first bracket of a reason holds as long as the right does; the figures in the bracket are
 * those of the moment it was decided.
 */
public final class Entitlements {

    /** guaranteed work goes before borrowed work; among equals the submission decides. */
    static final long GUARANTEED_PRIORITY = 1_000_000;

    static final long BORROWED_PRIORITY = 0;

    private Entitlements() {}

    static Map<JobKey, Entitlement> of(final Accounts accounts, final ProcessorHours hours) {
        final Map<JobKey, Entitlement> entitlements = new LinkedHashMap<>();
        accounts.all().forEach(account -> entitleRunning(account, entitlements));
        entitleWaiting(accounts, hours, entitlements);
        return entitlements;
    }

    private static void entitleRunning(final Account account, final Map<JobKey, Entitlement> entitlements) {
        final Set<Occupant> borrowed = account.borrowed();
        for (final Occupant occupant : account.occupants()) {
            final String figures = figures(occupant.cores(), account.used(), "in use in all");
            final Entitlement entitlement = borrowed.contains(occupant)
                    ? borrowed(occupant.job(), account, occupant.cores(), figures)
                    : guaranteed(occupant.job(), account, figures);
            entitlements.put(occupant.job(), entitlement);
        }
    }

    /** Waiting jobs in their order: guaranteed as long as use and what was guaranteed to earlier ones leave room in the quota. */
    private static void entitleWaiting(
            final Accounts accounts, final ProcessorHours hours, final Map<JobKey, Entitlement> entitlements) {
        final Map<UserName, Integer> spoken = new HashMap<>();
        for (final JobObserved job : accounts.waiting()) {
            final Account account = accounts.of(job.owner());
            final Optional<String> held =
                    job.state() instanceof JobState.Suspended ? Optional.empty() : hours.hold(job);
            if (held.isPresent()) {
                entitlements.put(job.job(), new Entitlement(job.job(), Right.HELD, BORROWED_PRIORITY, held.get()));
                continue;
            }
            final int before = spoken.getOrDefault(job.owner(), account.used());
            final int cores = job.resources().cores();
            final String figures = figures(cores, before, "in use or guaranteed before it");
            if ((long) cores + before <= account.quota()) {
                spoken.put(job.owner(), before + cores);
                entitlements.put(job.job(), guaranteed(job.job(), account, figures));
            } else {
                entitlements.put(job.job(), borrowed(job.job(), account, cores, figures));
            }
        }
    }

    private static Entitlement guaranteed(final JobKey job, final Account account, final String figures) {
        return new Entitlement(
                job, Right.GUARANTEED, GUARANTEED_PRIORITY, "within quota " + account.quota() + " " + figures);
    }

    private static Entitlement borrowed(
            final JobKey job, final Account account, final int cores, final String figures) {
        if (account.quota() == 0) {
            return new Entitlement(job, Right.BORROWED, BORROWED_PRIORITY, "no quota here: all is borrowed " + figures);
        }
        final String why = account.isWide(cores) ? "wider than quota " : "beyond quota ";
        return new Entitlement(job, Right.BORROWED, BORROWED_PRIORITY, why + account.quota() + " " + figures);
    }

    private static String figures(final int cores, final int others, final String what) {
        return "(" + cores + " cores; " + others + " " + what + ")";
    }

    /** Whether two entitlements say the same but for figures that change with every start of the user's other jobs. */
    public static boolean same(final Entitlement one, final Entitlement other) {
        return one.right() == other.right()
                && one.priority() == other.priority()
                && lasting(one.reason()).equals(lasting(other.reason()));
    }

    private static String lasting(final String reason) {
        final int bracket = reason.indexOf('(');
        return bracket < 0 ? reason : reason.substring(0, bracket);
    }
}
