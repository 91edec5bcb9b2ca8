package io.millrace.agent.slurm.command;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code scontrol update} of a job's mark, together with its hold, begin time or partitions.
 *
 * @param adminComment the complete new AdminComment
 * @param held whether to set the priority to 0, which holds a pending job; false leaves it unchanged
 * @param begin the new begin time; null leaves it unchanged
 * @param partitions comma-separated partitions in which the job may start; null leaves them unchanged
 */
public record HoldUpdate(
        SlurmSite site,
        List<String> ids,
        String adminComment,
        boolean held,
        @Nullable Instant begin,
        @Nullable String partitions)
        implements ChangeCommand {

    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss");

    public static HoldUpdate of(final SlurmSite site, final String id, final String adminComment) {
        return new HoldUpdate(site, List.of(id), adminComment, false, null, null);
    }

    /** The same update for other jobs. */
    public HoldUpdate withIds(final List<String> otherIds) {
        return new HoldUpdate(site, otherIds, adminComment, held, begin, partitions);
    }

    public HoldUpdate withHold() {
        return new HoldUpdate(site, ids, adminComment, true, begin, partitions);
    }

    public HoldUpdate beginningAt(final Instant time) {
        return new HoldUpdate(site, ids, adminComment, held, time, partitions);
    }

    public HoldUpdate inPartitions(final String names) {
        return new HoldUpdate(site, ids, adminComment, held, begin, names);
    }

    /** scontrol reads times in its local time zone, so it runs with TZ=UTC. */
    @Override
    public Map<String, String> environment() {
        return site.queryEnvironment();
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
    public String summary() {
        return "scontrol update " + String.join(",", ids);
    }
}
