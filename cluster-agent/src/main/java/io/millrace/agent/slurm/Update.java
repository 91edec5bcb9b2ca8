package io.millrace.agent.slurm;

import java.util.ArrayList;
import java.util.List;

/**
 * {@code scontrol update}: what Millrace changes about jobs.
 *
 * @param adminComment the whole new comment
 * @param held whether the priority is set to 0, which holds a waiting job; false leaves it
 * @param beginNow whether the begin time is set to now
 */
record Update(SlurmSite site, List<String> ids, String adminComment, boolean held, boolean beginNow) implements Order {

    static Update of(final SlurmSite site, final String id, final String adminComment) {
        return new Update(site, List.of(id), adminComment, false, false);
    }

    Update holding() {
        return new Update(site, ids, adminComment, true, beginNow);
    }

    Update beginningNow() {
        return new Update(site, ids, adminComment, held, true);
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of("scontrol", "update", "JobId=" + String.join(",", ids)));
        if (held) {
            argv.add("Priority=0");
        }
        if (beginNow) {
            argv.add("StartTime=now");
        }
        argv.add("AdminComment=" + adminComment);
        return argv;
    }

    @Override
    public String done() {
        return "scontrol update " + String.join(",", ids);
    }
}
