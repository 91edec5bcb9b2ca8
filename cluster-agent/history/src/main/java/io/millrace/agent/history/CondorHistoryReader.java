package io.millrace.agent.history;

import io.millrace.agent.domain.Run;
import io.millrace.agent.wlm.AccountingLine;
import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the history of HTCondor: ClassAds as lines {@code Name = value}. In the history file each ad ends with a line that starts with
 * {@code ***}, in the output of {@code condor_history -long} with an empty line. Only the last run of a job is recorded.
 *
 * <p>A job that is removed while it waits or is held was evicted before: {@code EnteredCurrentStatus} is the time of the removal, and
 * {@code LastRemoteWallClockTime} the length of its last run.
 */
final class CondorHistoryReader implements AccountingReader {

    private static final int REMOVED = 3;
    private static final int COMPLETED = 4;
    /** Running, transferring output, suspended: the run ended when the job left this state. */
    private static final Set<Long> OCCUPIES_A_SLOT = Set.of(2L, 6L, 7L);

    private static final Set<String> USED = Set.of(
            "clusterid",
            "procid",
            "owner",
            "acctgroup",
            "jobbatchname",
            "cmd",
            "qdate",
            "jobstartdate",
            "jobcurrentstartdate",
            "completiondate",
            "enteredcurrentstatus",
            "jobstatus",
            "lastjobstatus",
            "lastremotewallclocktime",
            "lastvacatetime",
            "remotewallclocktime",
            "numjobstarts",
            "exitbysignal",
            "exitsignal",
            "exitcode",
            "requestcpus",
            "cpusprovisioned",
            "requestmemory",
            "memoryprovisioned",
            "requestgpus",
            "gpusprovisioned",
            "allowedjobduration",
            "allowedexecuteduration");

    private final ClusterId cluster;
    private final Map<String, String> ad = new HashMap<>();
    private boolean inAd;

    CondorHistoryReader(final ClusterId cluster) {
        this.cluster = cluster;
    }

    @Override
    public AccountingLine read(final String line) {
        if (line.isBlank() || line.startsWith("***")) {
            return inAd ? ad() : AccountingLine.HEADER;
        }
        final int equals = line.indexOf(" = ");
        if (equals <= 0) {
            throw new IllegalArgumentException("not an attribute of a ClassAd");
        }
        inAd = true;
        final String name = line.substring(0, equals).strip().toLowerCase(Locale.ROOT);
        if (USED.contains(name)) {
            ad.put(name, line.substring(equals + 3).strip());
        }
        return AccountingLine.DETAIL;
    }

    @Override
    public List<EndedJob> atEndOfFile() {
        return inAd && ad() instanceof AccountingLine.End end ? end.jobs() : List.of();
    }

    private AccountingLine ad() {
        try {
            final long status = number("jobstatus", COMPLETED);
            return status == COMPLETED || status == REMOVED ? AccountingLine.end(job()) : AccountingLine.DETAIL;
        } finally {
            ad.clear();
            inAd = false;
        }
    }

    private EndedJob job() {
        final JobKey key =
                new JobKey(new JobId(cluster, required("clusterid") + "." + required("procid")), requiredTime("qdate"));
        final Instant started = time("jobcurrentstartdate", time("jobstartdate", null));
        final Instant ended = started == null ? key.submittedAt() : ended(started);
        return new EndedJob(
                key,
                name(),
                null,
                NameMapping.user(text("owner")),
                NameMapping.project(text("acctgroup")),
                PartitionName.of("default"),
                new Resources(
                        (int) Math.max(1, first("cpusprovisioned", "requestcpus")),
                        0,
                        first("memoryprovisioned", "requestmemory"),
                        (int) first("gpusprovisioned", "requestgpus")),
                walltime(),
                List.of(new Run(key, 1, started, ended, outcome(), "condor_history")));
    }

    /** The end of the last run. */
    private Instant ended(final Instant started) {
        final Instant left = time("enteredcurrentstatus", null);
        final Instant completed = isRemoved() ? null : time("completiondate", left);
        if (completed != null) {
            return completed;
        }
        final long ran_s = lastRun_s();
        if (OCCUPIES_A_SLOT.contains(number("lastjobstatus", ran_s > 0 ? 0 : 2)) && left != null) {
            return left;
        }
        final Instant evicted = ran_s > 0 ? started.plusSeconds(ran_s) : time("lastvacatetime", null);
        if (evicted != null && !evicted.isBefore(started)) {
            return left != null && left.isBefore(evicted) ? left : evicted;
        }
        throw new IllegalArgumentException(
                "the job's ad does not show when its last run ended; it has neither LastRemoteWallClockTime nor"
                        + " LastVacateTime");
    }

    /** The total is that of the last run if there was only one. */
    private long lastRun_s() {
        final long last_s = number("lastremotewallclocktime", 0);
        return last_s > 0 || number("numjobstarts", 0) > 1 ? last_s : number("remotewallclocktime", 0);
    }

    private boolean isRemoved() {
        return number("jobstatus", COMPLETED) == REMOVED;
    }

    private String name() {
        final String command = text("cmd");
        return text("jobbatchname").isEmpty() ? command.substring(command.lastIndexOf('/') + 1) : text("jobbatchname");
    }

    private @Nullable Duration walltime() {
        final long limit_s = first("allowedexecuteduration", "allowedjobduration");
        return limit_s == 0 ? null : Duration.ofSeconds(limit_s);
    }

    private RunOutcome outcome() {
        if (isRemoved()) {
            return new RunOutcome.Cancelled();
        }
        if (text("exitbysignal").equalsIgnoreCase("true")) {
            return new RunOutcome.Signalled((int) number("exitsignal", 0));
        }
        return ad.containsKey("exitcode")
                ? new RunOutcome.Exited((int) number("exitcode", 0) & 0xff)
                : new RunOutcome.Unknown("the job's ad has no ExitCode");
    }

    /** The first of these that is a positive number; requests can also be expressions. */
    private long first(final String one, final String other) {
        final long value = number(one, 0);
        return value > 0 ? value : Math.max(0, number(other, 0));
    }

    /** The integral part of a number; times are real numbers such as {@code 3.6E+03}. */
    private long number(final String name, final long otherwise) {
        final String value = ad.getOrDefault(name, "");
        return value.matches("-?\\d{1,9}(\\.\\d{1,20})?([Ee][+-]?0?\\d)?")
                ? (long) Double.parseDouble(value)
                : otherwise;
    }

    private String text(final String name) {
        final String value = ad.getOrDefault(name, "");
        return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1).replace("\\\"", "\"")
                : value;
    }

    private String required(final String name) {
        final String value = ad.getOrDefault(name, "");
        if (!value.matches("\\d{1,9}")) {
            throw new IllegalArgumentException("the job's ad has no valid " + name);
        }
        return value;
    }

    private Instant requiredTime(final String name) {
        final Instant time = time(name, null);
        if (time == null) {
            throw new IllegalArgumentException("the job's ad has no valid " + name);
        }
        return time;
    }

    private @Nullable Instant time(final String name, final @Nullable Instant otherwise) {
        final String value = ad.getOrDefault(name, "");
        return value.matches("[1-9]\\d{0,11}") ? Instant.ofEpochSecond(Long.parseLong(value)) : otherwise;
    }
}
