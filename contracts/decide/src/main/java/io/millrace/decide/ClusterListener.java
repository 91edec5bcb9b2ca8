package io.millrace.decide;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.command.Outcome;
import org.jspecify.annotations.Nullable;

/** Receives the changes of a cluster, so that derived state is updated only where it changed. */
public interface ClusterListener {

    ClusterListener NONE = new ClusterListener() {
        @Override
        public void jobChanged(final JobKey job) {}

        @Override
        public void nodeChanged(final @Nullable NodeObserved before, final @Nullable NodeObserved now) {}

        @Override
        public void partitionsChanged() {}

        @Override
        public void commandAnswered(final Outcome outcome) {}
    };

    /** A job came, changed or left. */
    void jobChanged(JobKey job);

    /** A node came (null before), changed, or left (null now). */
    void nodeChanged(@Nullable NodeObserved before, @Nullable NodeObserved now);

    /** A partition came, changed or left. */
    void partitionsChanged();

    /** A command has started or was answered. */
    void commandAnswered(Outcome outcome);
}
