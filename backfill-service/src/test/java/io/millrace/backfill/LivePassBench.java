package io.millrace.backfill;

import io.millrace.backfill.domain.BackfillPolicy;
import io.millrace.backfill.domain.StartRules;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.policy.Entitlement;
import io.millrace.model.policy.Entitlement.Right;
import io.millrace.model.view.Changes;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** What a revision with one arrival costs the live service: {@code LivePassBench [QUEUED] [RUNNING] [REVISIONS]}. */
public final class LivePassBench {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final Instant NOON = Instant.parse("2026-03-02T12:00:00Z");
    private static final int SEED = 7;

    private final Random random = new Random(SEED);
    private final PlanStarts planner = new PlanStarts(new Rules(BackfillPolicy.EASY, StartRules.DEFAULT, Map.of()));
    private int cores;
    private long revision;

    public static void main(final String[] arguments) {
        final int queued = argument(arguments, 0, 100_000);
        final int running = argument(arguments, 1, 10_000);
        final int revisions = argument(arguments, 2, 20);
        new LivePassBench().run(queued, running, revisions);
    }

    private static int argument(final String[] arguments, final int at, final int otherwise) {
        return arguments.length > at ? Integer.parseInt(arguments[at]) : otherwise;
    }

    private void run(final int queued, final int running, final int revisions) {
        for (int i = 0; i < running; i++) {
            cores += see(i, new JobState.Running(NOON.minusSeconds(random.nextInt(3600)), List.of()));
        }
        for (int i = 0; i < queued; i++) {
            see(running + i, new JobState.Held(HoldKind.ENTRY));
        }
        System.out.printf("first pass: %.1f ms%n", pass(NOON));
        final double[] passes = new double[revisions];
        for (int i = 0; i < revisions; i++) {
            see(running + queued + i, new JobState.Held(HoldKind.ENTRY));
            passes[i] = pass(NOON.plusSeconds(i + 1));
        }
        Arrays.sort(passes);
        System.out.printf(
                "%d queued, %d running; a revision with one arrival: median %.1f ms, least %.1f, most %.1f%n",
                queued, running, passes[revisions / 2], passes[0], passes[revisions - 1]);
    }

    private int see(final int number, final JobState state) {
        final JobKey key =
                new JobKey(new JobId(ALPHA, Integer.toString(number + 1)), NOON.minusSeconds(4000 + number % 1000));
        final int wide = 1 + random.nextInt(64);
        planner.followed(ALPHA)
                .observed(new JobObserved(
                        key,
                        "j" + number,
                        UserName.of("u" + number % 200),
                        null,
                        PartitionName.of("main"),
                        state,
                        null,
                        Resources.cores(wide),
                        Duration.ofMinutes(60 + random.nextInt(600)),
                        NOON,
                        null,
                        0,
                        0,
                        new CheckpointMethod.None()));
        planner.entitled(key, new Entitlement(key, Right.GUARANTEED, 0, "for the bench"));
        return wide;
    }

    private double pass(final Instant now) {
        planner.followed(ALPHA)
                .observed(new RevisionClosed(
                        ALPHA,
                        ++revision,
                        now,
                        new WlmHealth.Answering(),
                        Control.DIRECTED,
                        "local",
                        Resources.cores(cores),
                        Resources.cores(0),
                        Set.of(Capability.START),
                        0,
                        null,
                        null));
        final long begun = System.nanoTime();
        final Changes changes = planner.decide(now);
        final double took_ms = (System.nanoTime() - begun) / 1e6;
        if (changes.events().isEmpty()) {
            throw new IllegalStateException("nothing was decided");
        }
        return took_ms;
    }
}
