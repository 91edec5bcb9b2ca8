package io.millrace.agent.torque.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.wlm.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Queries jobs by {@code qstat}, including completed jobs while the server keeps them ({@code keep_completed}).
 *
 * @param ids ids of the jobs; empty for all jobs
 */
public record JobQuery(TorqueSite site, List<String> flags, List<String> ids) implements TorqueQuery<List<TorqueJob>> {

    private static final int UNKNOWN_JOB = 153;

    public static JobQuery all(final TorqueSite site, final TorqueFeatures features) {
        return new JobQuery(site, features.listFlags(), List.of());
    }

    static JobQuery of(final TorqueSite site, final TorqueFeatures features, final List<String> ids) {
        return new JobQuery(site, features.jobFlags(), ids);
    }

    @Override
    public List<String> argv() {
        final List<String> argv = new ArrayList<>(List.of(site.program("qstat")));
        argv.addAll(flags);
        argv.addAll(ids);
        return argv;
    }

    /** With several ids, qstat prints the known jobs and exits with "unknown" for the others. */
    @Override
    public Answer<List<TorqueJob>> read(final CommandResult result) {
        final boolean someUnknown = !ids.isEmpty()
                && (result.exit() == UNKNOWN_JOB || result.errorText().contains("Unknown Job Id"))
                && !result.errorText().contains("onnect");
        return TorqueQuery.super.read(someUnknown ? new CommandResult(0, result.output(), new byte[0]) : result);
    }

    @Override
    public List<TorqueJob> parse(final String output) {
        return withoutArraysShownByTask(
                ListingReader.jobs(output).stream().map(TorqueJob::new).toList());
    }

    /** Removes an array if its tasks are listed. */
    private static List<TorqueJob> withoutArraysShownByTask(final List<TorqueJob> jobs) {
        final Set<String> shown = new HashSet<>();
        for (final TorqueJob job : jobs) {
            PbsId.in(job.localId())
                    .filter(PbsId::isSubjob)
                    .ifPresent(id -> shown.add(id.array().toString()));
        }
        return jobs.stream().filter(job -> !shown.contains(job.localId())).toList();
    }

    /** The jobs with this id. */
    public static List<TorqueJob> named(final List<TorqueJob> jobs, final String id) {
        final PbsId wanted = PbsId.in(id).orElse(null);
        return jobs.stream()
                .filter(job -> job.localId().equals(id)
                        || (wanted != null
                                && PbsId.in(job.localId())
                                        .map(wanted::isSameJob)
                                        .orElse(false)))
                .toList();
    }
}
