package io.millrace.script;

import io.millrace.model.job.JobSpec;
import java.util.List;

/** The embedded workload manager knows cores, nodes, memory and walltime. */
final class LocalWords extends Vocabulary {

    @Override
    List<String> resources(
            final JobSpec spec, final Layout layout, final List<Wish.Chunk> ownChunks, final Sayings sayings) {
        return List.of();
    }

    @Override
    void feature(final Option option, final Wish.Feature wish, final Sayings sayings) {
        sayings.nothingLike(option);
    }
}
