package io.millrace.agent.slurm;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code scontrol update}: what Millrace changes about jobs.
 *
 * @param adminComment the whole new comment
 * @param held whether the priority is set to 0, which holds a waiting job; false leaves it
 * @param begin the new begin time; null leaves it
 * @param partitions where it may start, names parted by commas; null leaves it
 */
record Update(
        SlurmSite site,
        List<String> ids,
        String adminComment,
        boolean held,
        @Nullable Instant begin,
        @Nullable String partitions)
        implements Order {

    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

    static Update of(final SlurmSite site, final String id, final String adminComment) {
        return new Update(site, List.of(id), adminComment, false, null, null);
    }

    /** The same for other jobs. */
    Update to(final List<String> others) {
        return new Update(site, others, adminComment, held, begin, partitions);
    }

    Update holding() {
        return new Update(site, ids, adminComment, true, begin, partitions);
    }

    Update beginningAt(final Instant time) {
        return new Update(site, ids, adminComment, held, time, partitions);
    }

    Update in(final String others) {
        return new Update(site, ids, adminComment, held, begin, others);
    }

    /** scontrol takes times as local: so its zone is ours. */
    @Override
    public Map<String, String> environment() {
        return site.asking();
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of("scontrol", "update", "JobId=" + String.join(",", ids)));
        if (held) {
            argv.add("Priority=0");
        }
        if (partitions != null) {
            argv.add("Partition=" + partitions);
        }
        if (begin != null) {
            argv.add("StartTime=" + LOCAL.format(begin.atOffset(ZoneOffset.UTC)));
        }
        argv.add("AdminComment=" + adminComment);
        return argv;
    }

    @Override
    public String done() {
        return "scontrol update " + String.join(",", ids);
    }
}
