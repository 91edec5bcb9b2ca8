package io.millrace.submit.projection;

import io.millrace.model.protocol.Topic;
import io.millrace.submit.store.Offsets;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.transaction.Transactional;

/** The stored offsets of the projection. */
@ApplicationScoped
public class ProjectedOffsets {

    private final Offsets offsets;

    ProjectedOffsets(final Offsets offsets) {
        this.offsets = offsets;
    }

    /** The first offset that is not projected yet. */
    @Transactional
    public long next(final String topicName, final int partition) {
        return offsets.next(new Offsets.Partition(topicName, partition));
    }

    /** Throws an exception if the database does not answer. */
    @Transactional
    public void ask() {
        offsets.next(new Offsets.Partition(Topic.SUBMISSIONS.topicName(), 0));
    }
}
