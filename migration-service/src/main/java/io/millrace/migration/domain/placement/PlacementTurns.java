package io.millrace.migration.domain.placement;

import io.millrace.migration.domain.job.WaitingGroup;
import io.millrace.migration.domain.job.WaitingJobs;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.GlobalJob;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The turns of one round: the oldest job first, and a group only as far as its jobs can be placed. */
final class PlacementTurns {

    /** The turn of a group: of its oldest job that is not placed yet. */
    static final class Turn {
        private final WaitingGroup group;
        private final Iterator<GlobalJobId> others;
        private GlobalJobId job;
        private GlobalJobId place;
        private boolean asked;
        private boolean followed;

        private Turn(final WaitingGroup group, final WaitingJobs waiting) {
            this.group = group;
            this.others = group.jobs().iterator();
            this.job = others.next();
            this.place = waiting.place(job);
        }

        WaitingGroup group() {
            return group;
        }

        GlobalJobId job() {
            return job;
        }

        /** Whether it is asked whatever its lane says. */
        boolean isAsked() {
            return asked;
        }

        /** True once: then the next group of the lane has its turn as well. */
        boolean follow() {
            final boolean first = !followed;
            followed = true;
            return first;
        }
    }

    private final WaitingJobs waiting;
    private final Map<WaitingGroup, Turn> turns = new HashMap<>();
    private final PriorityQueue<Turn> queue =
            new PriorityQueue<>(Comparator.comparing((Turn turn) -> turn.place).thenComparing(Turn::job));

    PlacementTurns(final WaitingJobs waiting) {
        this.waiting = waiting;
    }

    /** The group has a turn, in which it is asked only if its lane may get another answer. */
    Turn add(final WaitingGroup group) {
        return turns.computeIfAbsent(group, g -> {
            final Turn turn = new Turn(g, waiting);
            queue.add(turn);
            return turn;
        });
    }

    /** The group has a turn in which it is asked. */
    void ask(final WaitingGroup group) {
        add(group).asked = true;
    }

    /** The turn that comes now; null if there is none. */
    @Nullable
    Turn poll() {
        return queue.poll();
    }

    /** The job of the turn leaves its group: the next one has its turn when its place comes. */
    void proceed(final Turn turn) {
        if (turn.others.hasNext()) {
            turn.job = turn.others.next();
            turn.place = waiting.place(turn.job);
            queue.add(turn);
        }
    }

    GlobalJob job(final Turn turn) {
        return waiting.job(turn.job);
    }
}
