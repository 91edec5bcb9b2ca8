package io.millrace.migration.domain.job;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.BatchMember;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState.Waiting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The batches that limit how many of their jobs are placed at a time ({@code --array=1-10%4}). Of the jobs that could be placed, the first
 * have their turn, as many as the placed ones leave free.
 */
final class BatchLimits {

    private static final class Members {
        private final TreeSet<GlobalJobId> ready = new TreeSet<>();
        private final Set<GlobalJobId> placed = new HashSet<>();
        private Set<GlobalJobId> turn = Set.of();

        private boolean isEmpty() {
            return ready.isEmpty() && placed.isEmpty();
        }
    }

    private final Map<BatchId, Members> batches = new HashMap<>();

    /**
     * Takes note of a job.
     *
     * @param ready whether it waits and nothing but the limit keeps it from being placed
     * @return the jobs that now have their turn or have lost it, and the job itself
     */
    Set<GlobalJobId> put(final GlobalJob job, final boolean ready) {
        final BatchMember member = job.submission().batch();
        if (member == null || member.maxConcurrent() == null) {
            return Set.of(job.id());
        }
        final Members members = batches.computeIfAbsent(member.batch(), b -> new Members());
        update(members.ready, job.id(), ready);
        update(
                members.placed,
                job.id(),
                !(job.state() instanceof Waiting) && !job.state().isFinal());
        final Set<GlobalJobId> turn = members.ready.stream()
                .limit(Math.max(0, member.maxConcurrent() - members.placed.size()))
                .collect(Collectors.toSet());
        final Set<GlobalJobId> changed = new TreeSet<>(List.of(job.id()));
        members.turn.stream().filter(id -> !turn.contains(id)).forEach(changed::add);
        turn.stream().filter(id -> !members.turn.contains(id)).forEach(changed::add);
        members.turn = turn;
        if (members.isEmpty()) {
            batches.remove(member.batch());
        }
        return changed;
    }

    private static void update(final Set<GlobalJobId> set, final GlobalJobId job, final boolean in) {
        if (in) {
            set.add(job);
        } else {
            set.remove(job);
        }
    }

    /** Whether the limit of its batch leaves room for a job that is ready. */
    boolean hasTurn(final GlobalJob job) {
        final BatchMember member = job.submission().batch();
        if (member == null || member.maxConcurrent() == null) {
            return true;
        }
        final Members members = batches.get(member.batch());
        return members != null && members.turn.contains(job.id());
    }

    static boolean isLimited(final GlobalJob job) {
        final BatchMember member = job.submission().batch();
        return member != null && member.maxConcurrent() != null;
    }
}
