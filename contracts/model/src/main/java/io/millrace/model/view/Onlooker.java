package io.millrace.model.view;

import io.millrace.model.JobKey;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.command.Outcome;
import org.jspecify.annotations.Nullable;

/** Hears what changes in a cluster that is followed, so that whoever keeps something of each job does no more again than that. */
public interface Onlooker {

    Onlooker NOBODY = new Onlooker() {
        @Override
        public void job(final JobKey job) {}

        @Override
        public void node(final @Nullable NodeObserved before, final @Nullable NodeObserved now) {}

        @Override
        public void partitions() {}

        @Override
        public void answered(final Outcome outcome) {}
    };

    /** A job came, changed or left. */
    void job(JobKey job);

    /** A node came (null before), changed, or left (null now). */
    void node(@Nullable NodeObserved before, @Nullable NodeObserved now);

    /** A partition came, changed or left. */
    void partitions();

    /** A command was begun or answered. */
    void answered(Outcome outcome);
}
