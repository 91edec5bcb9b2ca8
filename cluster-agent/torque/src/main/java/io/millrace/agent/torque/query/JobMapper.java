package io.millrace.agent.torque.query;

import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbs.PbsNames;
import io.millrace.agent.pbs.PbsSize;
import io.millrace.model.ClusterId;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.array.ArrayTasks;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.Eligibility.Obstacle;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.Placement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Maps a job of {@code qstat} to an observation. */
public final class JobMapper {

    private static final Pattern ASKED_FOR_ARRAY = Pattern.compile("(?:^|\\s)-t\\s*(\\S+)");
    private static final Pattern SLOT_LIMIT = Pattern.compile("%(\\d{1,9})");
    private static final Pattern OLD_SUBJOB = Pattern.compile("(\\d+)-(\\d+)(\\..*)?");

    private JobMapper() {}

    /** @param hosts names of all nodes; a job requests nodes by name in the same list as features */
    static JobObserved of(
            final ClusterId cluster,
            final ReportedJob shown,
            final Control control,
            final Instant now,
            final Set<String> hosts) {
        final TorqueJob job = shown.job();
        final JobState state = JobStates.of(job, control);
        final Map<String, String> variables = job.variables();
        return new JobObserved(
                shown.key(cluster),
                name(job, variables),
                PbsNames.user(job.object()),
                PbsNames.project(job.object().get("Account_Name", "")),
                PartitionName.of(job.object().get("queue", "unknown").strip()),
                state,
                reason(job, state),
                resources(job),
                PbsDuration.read(job.object().get("Resource_List.walltime")),
                eligibility(job, state, now),
                JobVariables.attempt(variables),
                job.restarts(),
                job.object().number("Priority", 0),
                new CheckpointMethod.None(),
                new JobDetail(
                        null,
                        shown.array(),
                        job.dependencies(),
                        placement(job, hosts),
                        job.isInteractive(),
                        job.isRerunnable(),
                        null));
    }

    /** The name that the user gave to Millrace, unless the job was renamed since. */
    private static String name(final TorqueJob job, final Map<String, String> variables) {
        final String task = "-" + job.object().get("job_array_id", "");
        final String current = job.object().get("Job_Name", "");
        // Torque appends the task index to the array's name.
        final String here = task.length() > 1 && current.endsWith(task)
                ? current.substring(0, current.length() - task.length())
                : current;
        final String full = JobVariables.decode(variables.getOrDefault(JobVariables.NAME, ""));
        return !full.isEmpty() && JobVariables.shortName(full).equals(here) ? full : here;
    }

    private static @Nullable String reason(final TorqueJob job, final JobState state) {
        if (!state.isWaiting()) {
            return null;
        }
        if (!job.dependencies().isEmpty()) {
            return "waits for " + String.join(", ", job.dependencies());
        }
        if (job.stateLetter().equals("W")) {
            return "requested to start not before " + job.instant("Execution_Time");
        }
        if (waitsForArraySlot(job)) {
            return "array slot limit reached";
        }
        final String comment = job.comment();
        return comment.isEmpty() || HoldMark.parse(comment).isPresent() ? null : comment;
    }

    /** Whether the job is in state H without a hold: Torque keeps array tasks beyond the slot limit so. */
    public static boolean waitsForArraySlot(final TorqueJob job) {
        return job.stateLetter().equals("H") && !job.holds().any();
    }

    private static Resources resources(final TorqueJob job) {
        final NodeSpec spec = job.nodeSpec();
        final int placed =
                job.hosts().values().stream().mapToInt(Integer::intValue).sum();
        final int cores = placed > 0 ? placed : spec.cores();
        final long all = PbsSize.mib(job.object().get("Resource_List.mem"));
        final long each = PbsSize.mib(job.object().get("Resource_List.pmem"));
        final int nodes = job.allowsAnyNodes() ? 0 : spec.nodes();
        return new Resources(cores, nodes > 1 ? nodes : 0, all > 0 ? all : each * cores, spec.gpus());
    }

    /** The entry hold does not count: a start lifts it. */
    private static Eligibility eligibility(final TorqueJob job, final JobState state, final Instant now) {
        if (state instanceof JobState.Held held && held.by() != HoldKind.ENTRY) {
            return Eligibility.not(Obstacle.HOLD);
        }
        if (state.isWaiting() && !job.dependencies().isEmpty()) {
            return Eligibility.not(Obstacle.DEPENDENCY);
        }
        if (waitsForArraySlot(job)) {
            return Eligibility.not(Obstacle.ARRAY_LIMIT);
        }
        if (beginsLater(job, now)) {
            return Eligibility.from(job.instant("Execution_Time"));
        }
        final Instant since = job.instant("etime");
        final Instant queued = job.instant("qtime");
        return Eligibility.since(since != null ? since : queued != null ? queued : job.submitted());
    }

    /** Whether the job could start: it has no dependency, no later start time, and a free array slot. */
    public static boolean isStartable(final TorqueJob job, final Instant now) {
        return job.dependencies().isEmpty() && !beginsLater(job, now) && !waitsForArraySlot(job);
    }

    private static boolean beginsLater(final TorqueJob job, final Instant now) {
        final Instant begin = job.instant("Execution_Time");
        return job.stateLetter().equals("W") && (begin == null || begin.isAfter(now));
    }

    static @Nullable ArrayTasks array(final TorqueJob job) {
        final Matcher wanted = ASKED_FOR_ARRAY.matcher(job.object().get("submit_args", ""));
        final String request = job.object().get("job_array_request", wanted.find() ? wanted.group(1) : "");
        final Matcher limit = SLOT_LIMIT.matcher(job.object().get("submit_args", "") + " " + request);
        final Integer atOnce = limit.find() ? Integer.valueOf(limit.group(1)) : null;
        final PbsId id = PbsId.in(job.localId()).orElse(null);
        if (id != null && id.isSubjob()) {
            return new ArrayTasks(id.array().toString(), String.valueOf(id.brackets()), 1, atOnce);
        }
        if (id != null && id.isArray()) {
            final String indices = request.replaceAll("%.*", "");
            return new ArrayTasks(id.toString(), indices.isEmpty() ? "?" : indices, countTasks(indices), atOnce);
        }
        final Matcher old = OLD_SUBJOB.matcher(job.localId());
        if (old.matches() && job.object().has("job_array_id")) {
            final String server = old.group(3) == null ? "" : old.group(3);
            return new ArrayTasks(old.group(1) + server, old.group(2), 1, atOnce);
        }
        return null;
    }

    /** The number of tasks in {@code 1-3,7}; 1 if unreadable. */
    static int countTasks(final String indices) {
        long tasks = 0;
        for (final String range : indices.split(",")) {
            if (range.matches("\\d{1,9}-\\d{1,9}")) {
                final String[] ends = range.split("-");
                tasks += Math.max(1, Long.parseLong(ends[1]) - Long.parseLong(ends[0]) + 1);
            } else {
                tasks++;
            }
        }
        return (int) Math.max(1, Math.min(tasks, Integer.MAX_VALUE));
    }

    private static Placement placement(final TorqueJob job, final Set<String> hosts) {
        final NodeSpec spec = job.nodeSpec();
        final List<String> features = new ArrayList<>();
        final List<NodeName> named = new ArrayList<>();
        for (final NodeSpec.Part part : spec.parts()) {
            for (final String word : part.properties()) {
                if (hosts.contains(word)) {
                    named.add(NodeName.of(word));
                } else if (!features.contains(word)) {
                    features.add(word);
                }
            }
        }
        final boolean even = spec.parts().size() == 1 && job.object().has("Resource_List.nodes");
        final boolean alone = job.object().get("Resource_List.nodes", "").contains("#excl")
                || job.object()
                        .get("Resource_List.naccesspolicy", "")
                        .toLowerCase(Locale.ROOT)
                        .startsWith("single")
                || job.object().is("node_exclusive");
        final int each = even && !job.allowsAnyNodes() ? spec.parts().get(0).ppn() : 0;
        return new Placement(features, each, alone, named, Map.of());
    }
}
