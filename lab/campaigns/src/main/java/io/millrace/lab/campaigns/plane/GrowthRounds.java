package io.millrace.lab.campaigns.plane;

import io.millrace.log.LogRecord;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.policy.Classified;
import io.millrace.model.policy.Entitlement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When each service decided about a round. A round is a job that ends on a cluster and a global job that is submitted to the same cluster;
 * it is over when all of these decisions are on the log.
 */
final class GrowthRounds {

    /** The decisions of a round. Each is measured until a reader of the log sees it. */
    enum Decision {
        START("backfill: job ended to start of the next"),
        CLASS("classifier: submission to class"),
        SUBMIT("migration: submission to submit command"),
        RELEASE("migration: held job to release"),
        ENTITLEMENT("quota: held job to entitlement");

        private final String label;

        Decision(final String label) {
            this.label = label;
        }

        String label() {
            return label;
        }
    }

    /** It can be decided after another decision. */
    private static final long NOT_YET = Long.MAX_VALUE;

    private final Set<JobKey> classified = new HashSet<>();
    private final Set<JobKey> entitled = new HashSet<>();
    private final Map<Decision, List<Long>> latencies_ns = new EnumMap<>(Decision.class);
    private final Map<Decision, Long> begun_ns = new EnumMap<>(Decision.class);
    private @Nullable ClusterId cluster;
    private @Nullable GlobalJobId job;

    GrowthRounds() {
        Arrays.stream(Decision.values()).forEach(decision -> latencies_ns.put(decision, new ArrayList<>()));
    }

    /** Begins a round: a job has just ended on the cluster. */
    void ended(final ClusterId on) {
        cluster = on;
        begin(Decision.START);
    }

    /** The global job of the round is being submitted. */
    void submitting(final GlobalJobId id) {
        job = id;
        begin(Decision.CLASS);
        begin(Decision.SUBMIT);
        begun_ns.put(Decision.RELEASE, NOT_YET);
        begun_ns.put(Decision.ENTITLEMENT, NOT_YET);
    }

    /** The decisions that are still missing; empty: the round is over. */
    Set<Decision> missing() {
        return Set.copyOf(begun_ns.keySet());
    }

    void seen(final LogRecord record) {
        switch (record.event()) {
            case Classified found when found.job() instanceof JobKey local -> classified.add(local);
            case Classified found when found.job().equals(job) -> decided(Decision.CLASS);
            case Entitlement entitlement -> {
                if (entitled.add(entitlement.job()) && entitlement.cluster().equals(cluster)) {
                    decided(Decision.ENTITLEMENT);
                }
            }
            case Command command -> command(command);
            case null, default -> {}
        }
    }

    private void command(final Command command) {
        if (!command.cluster().equals(cluster)) {
            return;
        }
        switch (command.action()) {
            case Action.Start start -> decided(Decision.START);
            case Action.Submit submit -> decided(Decision.SUBMIT);
            case Action.Release release -> decided(Decision.RELEASE);
            default -> {}
        }
    }

    /** The effect of a command is published. */
    void answered(final Command command) {
        if (!command.cluster().equals(cluster)) {
            return;
        }
        switch (command.action()) {
            case Action.Submit submit -> {
                begin(Decision.RELEASE);
                begin(Decision.ENTITLEMENT);
            }
            default -> {}
        }
    }

    private void begin(final Decision decision) {
        begun_ns.put(decision, System.nanoTime());
    }

    private void decided(final Decision decision) {
        final Long since = begun_ns.get(decision);
        if (since != null && since != NOT_YET) {
            begun_ns.remove(decision);
            latencies(decision).add(System.nanoTime() - since);
        }
    }

    private List<Long> latencies(final Decision decision) {
        return latencies_ns.computeIfAbsent(decision, d -> new ArrayList<>());
    }

    /** Local jobs whose class is on the log. */
    int classified() {
        return classified.size();
    }

    /** Local jobs whose entitlement is on the log. */
    int entitled() {
        return entitled.size();
    }

    /**
     * Time to the decision of all rounds.
     *
     * @param share between 0 and 1
     */
    double milliseconds(final Decision decision, final double share) {
        final long[] sorted =
                latencies(decision).stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1.0, share * sorted.length)] / 1e6;
    }

    /** Starts the measurement again; what is classified and entitled stays known. */
    void reset() {
        latencies_ns.values().forEach(List::clear);
    }
}
