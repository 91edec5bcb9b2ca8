package io.millrace.agent.skeleton;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.NodeName;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.NodeObserved;
import io.millrace.model.cluster.PartitionLimits;
import io.millrace.model.cluster.PartitionObserved;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code skstat}: all jobs and nodes by one query.
 *
 * <pre>
 *   node n1 8 6                                      name, cores, free cores
 *   job 12 anna 2 running 1767225600 1767225660 n1   id, owner, cores, state, submitted, started, node
 * </pre>
 */
record StatusQuery(ClusterId cluster, String program, Instant now) implements CommandLine<Observation> {

    private static final PartitionName PARTITION = PartitionName.of("all");

    @Override
    public List<String> argv() {
        return List.of(program, "--all");
    }

    /** A line that cannot be read makes the whole output unreadable: half an answer would look like a smaller cluster. */
    @Override
    public Answer<Observation> read(final CommandResult result) {
        if (!result.succeeded()) {
            return Answer.trouble(Answer.Kind.DOWN, "skstat failed: " + result.errorText() + "; check that skeld runs");
        }
        final List<JobObserved> jobs = new ArrayList<>();
        final List<NodeObserved> nodes = new ArrayList<>();
        for (final String line : result.outputText().lines().toList()) {
            final String[] field = line.split(" ", -1);
            if (field[0].equals("node") && field.length == 4) {
                nodes.add(node(field));
            } else if (field[0].equals("job") && field.length == 8) {
                jobs.add(job(field));
            } else {
                return Answer.trouble(Answer.Kind.UNREADABLE, "skstat printed an unknown line: '" + line + "'");
            }
        }
        final int cores = nodes.stream().mapToInt(node -> node.total().cores()).sum();
        return Answer.ok(new Observation(
                now,
                Control.DIRECTED,
                jobs,
                nodes,
                List.of(new PartitionObserved(
                        cluster, PARTITION, true, true, cores, null, PartitionLimits.NONE, Access.EVERYBODY))));
    }

    private NodeObserved node(final String[] field) {
        return new NodeObserved(
                cluster,
                NodeName.of(field[1]),
                NodeObserved.Availability.UP,
                Resources.cores(Integer.parseInt(field[2])),
                Resources.cores(Integer.parseInt(field[3])),
                null,
                List.of(),
                List.of());
    }

    private JobObserved job(final String[] field) {
        final Instant submitted = Instant.ofEpochSecond(Long.parseLong(field[5]));
        return new JobObserved(
                new JobKey(new JobId(cluster, field[1]), submitted),
                "job " + field[1],
                UserName.of(field[2]),
                null,
                PARTITION,
                state(field),
                null,
                Resources.cores(Integer.parseInt(field[3])),
                null,
                eligibility(field, submitted),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    /** A job that cannot start now must not be reported as eligible: Millrace would preempt other jobs for it. */
    private static Eligibility eligibility(final String[] field, final Instant submitted) {
        return field[4].equals("held") ? Eligibility.not(Eligibility.Obstacle.HOLD) : Eligibility.since(submitted);
    }

    /** A state that the adapter does not know is shown as it is; it is counted and never acted on. */
    private static JobState state(final String[] field) {
        return switch (field[4]) {
            case "pending" -> new JobState.Queued();
            case "held" -> new JobState.Held(HoldKind.USER);
            case "running" ->
                new JobState.Running(Instant.ofEpochSecond(Long.parseLong(field[6])), List.of(NodeName.of(field[7])));
            default -> new JobState.Unknown(field[4]);
        };
    }
}
