package io.millrace.agent.acceptance;

import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.PartitionObserved;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What must be true before the acceptance test submits its first job. Only reads. */
final class StartConditions {

    /** An agent writes its heartbeat file with each plan of the deciding services. */
    private static final Duration FRESH = Duration.ofMinutes(1);

    private final AcceptanceTest.Target target;
    private final AdapterAccess adapter;
    private final OwnerAccounts owners;

    StartConditions(final AcceptanceTest.Target target, final AdapterAccess adapter, final OwnerAccounts owners) {
        this.target = target;
        this.adapter = adapter;
        this.owners = owners;
    }

    /** Why the test must not run; empty if it may. Nothing was changed. */
    Optional<String> refusal() {
        return owners.refusal(target.user()).or(this::activeAgent).or(() -> switch (adapter.get()
                .observe()) {
            case Answer.Trouble<Observation> trouble ->
                Optional.of("the workload manager does not answer: " + trouble.reason());
            case Answer.Ok<Observation> seen -> refusal(seen.value());
        });
    }

    /** The services would start the jobs of the test, and cancel them because no global job belongs to them. */
    private Optional<String> activeAgent() {
        final Path file = target.heartbeatFile();
        try {
            return file != null
                            && Files.exists(file)
                            && Files.getLastModifiedTime(file)
                                    .toInstant()
                                    .isAfter(Instant.now().minus(FRESH))
                    ? Optional.of("the agent of cluster " + target.cluster() + " is active (" + file
                            + " has changed within the last minute); stop it during the test, its jobs continue")
                    : Optional.empty();
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private Optional<String> refusal(final Observation seen) {
        final Optional<PartitionObserved> queue = seen.partitions().stream()
                .filter(one -> one.partition().equals(target.queue()))
                .findFirst();
        if (queue.isEmpty()) {
            return Optional.of("queue '" + target.queue() + "' not found; choose one of "
                    + seen.partitions().stream()
                            .map(one -> one.partition().value())
                            .sorted()
                            .collect(Collectors.joining(", ")));
        }
        if (seen.control() == Control.NATIVE && !queue.get().open()) {
            return Optional.of("queue '" + target.queue() + "' is closed; open it for the test");
        }
        final Duration limit = queue.get().walltimeLimit();
        if (limit != null && limit.compareTo(TestQueue.WALLTIME) < 0) {
            return Optional.of("queue '" + target.queue() + "' limits jobs to " + limit.toMinutes()
                    + " minutes; the jobs of the test request " + TestQueue.WALLTIME.toMinutes());
        }
        final List<String> jobs = seen.jobs().stream()
                .filter(job -> job.choice().contains(target.queue()))
                .map(job -> job.job().id().local() + " of " + job.owner())
                .toList();
        return jobs.isEmpty()
                ? Optional.empty()
                : Optional.of("queue '" + target.queue() + "' has " + jobs.size() + " jobs ("
                        + jobs.stream().limit(5).collect(Collectors.joining(", "))
                        + "); wait until they have ended, or choose a queue of its own for the test");
    }
}
