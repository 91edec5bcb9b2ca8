package io.millrace.agent.history;

import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.EndedJob;
import io.millrace.agent.wlm.Run;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.RunOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the history of HTCondor: ClassAds as lines {@code Name = value}. In the history file each ad ends with a line that starts with
 * {@code ***}, in the output of {@code condor_history -long} with an empty line. Only the last run of a job is recorded.
 */
final class CondorHistoryReader implements AccountingReader {

    private static final int REMOVED = 3;
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
    public Optional<EndedJob> read(final String line) {
        if (line.isBlank() || line.startsWith("***")) {
            return atEndOfFile();
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
        return Optional.empty();
    }

    @Override
    public Optional<EndedJob> atEndOfFile() {
        if (!inAd) {
            return Optional.empty();
        }
        try {
            return Optional.of(job());
        } finally {
            ad.clear();
            inAd = false;
        }
    }

    private EndedJob job() {
        final JobKey key =
                new JobKey(new JobId(cluster, required("clusterid") + "." + required("procid")), requiredTime("qdate"));
        final Instant started = time("jobcurrentstartdate", time("jobstartdate", null));
        final Instant ended = time("completiondate", time("enteredcurrentstatus", null));
        if (ended == null) {
            throw new IllegalArgumentException("the job's ad has neither CompletionDate nor EnteredCurrentStatus");
        }
        final String group = text("acctgroup");
        return new EndedJob(
                key,
                name(),
                null,
                UserName.of(text("owner")),
                group.isEmpty() ? null : ProjectName.of(group),
                PartitionName.of("default"),
                new Resources(
                        (int) Math.max(1, first("cpusprovisioned", "requestcpus")),
                        0,
                        first("memoryprovisioned", "requestmemory"),
                        (int) first("gpusprovisioned", "requestgpus")),
                walltime(),
                List.of(new Run(key, 1, started, ended, outcome(), "condor_history")));
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
        if (number("jobstatus", 0) == REMOVED) {
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

    private long number(final String name, final long otherwise) {
        final String value = ad.getOrDefault(name, "");
        return value.matches("-?\\d{1,9}") ? Long.parseLong(value) : otherwise;
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
