package io.millrace.migration.kafka;

import io.millrace.log.EventCodec;
import io.millrace.log.EventSink;
import io.millrace.log.LogRecord;
import io.millrace.log.OutgoingEvent;
import io.millrace.log.UnreadableMessageException;
import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.CommandId;
import io.millrace.model.Event;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.CheckpointTaken;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.cluster.WlmHealth;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.model.policy.Request;
import io.millrace.model.protocol.Topic;
import io.millrace.model.transfer.Transfer;
import io.millrace.model.transfer.TransferState;
import io.millrace.testing.Stack;
import io.millrace.testing.service.TestLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * The agents of some clusters and the transfer service, answering on the real log what a script says: actions can be withheld, and
 * answers prepared; everything else is carried out on clusters in memory.
 */
final class ScriptedAgents implements AutoCloseable {

    private static final PartitionName MAIN = PartitionName.of("main");

    private static final class Site {
        final ClusterId id;
        final int cores;
        final Map<JobKey, JobObserved> jobs = new LinkedHashMap<>();
        long revision;
        long commandsIncluded;

        Site(final ClusterId id, final int cores) {
            this.id = id;
            this.cores = cores;
        }
    }

    /** Actions that are not answered while they are in here: {@code make}, {@code submit}, {@code upload}, {@code download}… */
    final Set<String> withheld = ConcurrentHashMap.newKeySet();

    /** The next answers to an action, instead of carrying it out. */
    final Map<String, ConcurrentLinkedQueue<Result>> prepared = new ConcurrentHashMap<>();

    private final Map<ClusterId, Site> sites = new HashMap<>();
    private final List<LogRecord> todo = new ArrayList<>();
    private final Set<CommandId> handled = new HashSet<>();
    private final Set<AttemptId> tags = new HashSet<>();
    private final Map<String, Request.TransferRequested> copying = new HashMap<>();
    private final Set<String> dropped = new HashSet<>();
    private final EventSink sink;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final Thread thread;
    private int numbers;
    private int unreadable;
    private Instant heartbeat = Instant.EPOCH;
    private volatile @Nullable RuntimeException trouble;

    ScriptedAgents(final TestLog log, final Map<ClusterId, Integer> cores) {
        cores.forEach((id, n) -> sites.put(id, new Site(id, n)));
        sink = new EventSink(log.servers(), "agents", Clock.systemUTC(), Stack.PATIENT);
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", log.servers(), "isolation.level", "read_committed"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        final List<TopicPartition> read = new ArrayList<>();
        read.add(new TopicPartition(Topic.REQUESTS.topicName(), 0));
        cores.keySet().forEach(id -> read.add(new TopicPartition(Topic.COMMANDS.topicName(log.known(id)), 0)));
        consumer.assign(read);
        consumer.seekToEnd(read);
        read.forEach(consumer::position);
        thread = new Thread(this::run, "scripted-agents");
        thread.start();
    }

    private void run() {
        try {
            while (!stopping.await(20, TimeUnit.MILLISECONDS)) {
                consumer.poll(Duration.ofMillis(50)).forEach(this::read);
                step();
            }
        } catch (final RuntimeException e) {
            trouble = e;
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void read(final ConsumerRecord<byte[], byte[]> record) {
        try {
            EventCodec.read(record).ifPresent(todo::add);
        } catch (final UnreadableMessageException e) {
            unreadable++;
        }
    }

    private synchronized void step() {
        todo.removeIf(this::handle);
        if (heartbeat.plusSeconds(2).isBefore(Instant.now())) {
            heartbeat = Instant.now();
            sites.values().forEach(this::close);
        }
    }

    /** True if it is dealt with; false to look at it again later. */
    private boolean handle(final LogRecord read) {
        return switch (read.event()) {
            case Command command -> !sites.containsKey(command.cluster()) || carryOut(command, read.offset());
            case Request.TransferRequested asked ->
                !sites.containsKey(asked.to().cluster()) || transfer(asked);
            case Request.TransferCancelRequested unwanted -> drop(unwanted);
            case null, default -> true;
        };
    }

    private boolean transfer(final Request.TransferRequested asked) {
        final String id = asked.id().value();
        if (copying.putIfAbsent(id, asked) == null) {
            put(state(asked, new TransferState.Copying(0)));
        }
        if (dropped.contains(id)) {
            return true;
        }
        if (withheld.contains(id.substring(id.indexOf('/') + 1))) {
            return false;
        }
        put(state(asked, new TransferState.Verified("1 file, 1 B, sha256 00")));
        return true;
    }

    private boolean drop(final Request.TransferCancelRequested unwanted) {
        final Request.TransferRequested asked = copying.get(unwanted.id().value());
        if (asked != null && dropped.add(unwanted.id().value())) {
            put(state(asked, new TransferState.Cancelled(unwanted.reason())));
        }
        return true;
    }

    private static Transfer state(final Request.TransferRequested asked, final TransferState state) {
        return new Transfer(
                asked.id(),
                asked.attempt(),
                asked.owner(),
                asked.from(),
                asked.to(),
                state,
                Instant.now(),
                asked.signature());
    }

    private boolean carryOut(final Command command, final long offset) {
        final String action = command.action().name();
        if (withheld.contains(action)) {
            return false;
        }
        if (!handled.add(command.id())) {
            return true;
        }
        final Site site = sites.get(command.cluster());
        final ConcurrentLinkedQueue<Result> answers = prepared.get(action);
        final Result next = answers == null ? null : answers.poll();
        answer(command, new Result.Begun());
        answer(command, next == null ? act(site, command.action()) : next);
        site.commandsIncluded = Math.max(site.commandsIncluded, offset + 1);
        close(site);
        return true;
    }

    private Result act(final Site site, final Action action) {
        return switch (action) {
            case Action.Make make -> new Result.Done(null, "exit code 0");
            case Action.Submit submit -> submit(site, submit);
            case Action.Release release -> release(site, release.job());
            case Action.Cancel cancel -> {
                if (site.jobs.containsKey(cancel.job())) {
                    end(cancel.job(), new RunOutcome.Cancelled());
                    yield new Result.Done(null, "cancelled");
                }
                yield new Result.Refused(Refusal.STALE, "not there");
            }
            default -> new Result.Refused(Refusal.UNSUPPORTED, action.name());
        };
    }

    private Result submit(final Site site, final Action.Submit submit) {
        if (!tags.add(submit.attempt())) {
            return new Result.Refused(Refusal.STALE, "a job carries the tag " + submit.attempt());
        }
        final JobKey key =
                addHeld(site.id, submit.attempt(), submit.spec().resources().cores());
        return new Result.Done(key, "held");
    }

    private Result release(final Site site, final JobKey key) {
        final JobObserved job = site.jobs.get(key);
        if (job == null) {
            return new Result.Refused(Refusal.STALE, "not there");
        }
        show(site, job.in(new JobState.Running(Instant.now(), List.of())));
        return new Result.Done(null, "released");
    }

    /** A held local job that carries the tag. */
    synchronized JobKey addHeld(final ClusterId cluster, final AttemptId tag, final int cores) {
        final JobKey key = new JobKey(new JobId(cluster, Integer.toString(++numbers)), Instant.now());
        final JobObserved job = new JobObserved(
                key,
                tag.toString(),
                UserName.of("anna"),
                null,
                MAIN,
                new JobState.Held(HoldKind.SUBMISSION),
                null,
                Resources.cores(cores),
                Duration.ofHours(1),
                Eligibility.since(key.submittedAt()),
                tag,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
        show(sites.get(cluster), job);
        close(sites.get(cluster));
        return key;
    }

    private void show(final Site site, final JobObserved job) {
        site.jobs.put(job.job(), job);
        put(job);
    }

    /** The job was saved, and goes on under another key: it waits there first. */
    synchronized JobKey goOn(final JobKey key) {
        final Site site = sites.get(key.cluster());
        final JobObserved job = site.jobs.get(key);
        final JobKey next = new JobKey(new JobId(key.cluster(), Integer.toString(++numbers)), Instant.now());
        show(
                site,
                new JobObserved(
                        next,
                        job.name(),
                        job.owner(),
                        null,
                        MAIN,
                        new JobState.Held(HoldKind.ENTRY),
                        null,
                        job.resources(),
                        job.walltime(),
                        Eligibility.since(next.submittedAt()),
                        job.attempt(),
                        0,
                        0,
                        job.checkpoint(),
                        JobDetail.NONE));
        final CheckpointTaken taken = new CheckpointTaken("native", "/ckpt/1", Instant.now(), Instant.now());
        end(key, new RunOutcome.Continued(next, taken));
        return next;
    }

    synchronized void end(final JobKey key, final RunOutcome outcome) {
        final Site site = sites.get(key.cluster());
        final JobObserved job = site.jobs.remove(key);
        put(RunEnded.of(job, 1, Instant.now(), Instant.now(), outcome, 0, "script"));
        send(OutgoingEvent.remove(Topic.CLUSTER_STATE, JobObserved.keyOf(key), key.cluster()));
        close(site);
    }

    synchronized List<JobKey> jobs(final ClusterId cluster) {
        return List.copyOf(sites.get(cluster).jobs.keySet());
    }

    private void close(final Site site) {
        close(site, new WlmHealth.Answering());
    }

    private void close(final Site site, final WlmHealth health) {
        final int used = site.jobs.values().stream()
                .filter(job -> job.state().occupiesCores())
                .mapToInt(job -> job.resources().cores())
                .sum();
        put(new RevisionClosed(
                site.id,
                ++site.revision,
                Instant.now(),
                health,
                Control.NATIVE,
                "script",
                Resources.cores(site.cores),
                Resources.cores(site.cores - used),
                Set.of(Capability.TRANSFER, Capability.HOLD),
                site.commandsIncluded,
                "/staging",
                null,
                Map.of()));
    }

    private void answer(final Command command, final Result result) {
        put(command.outcome(result, Instant.now()));
    }

    private void put(final Event event) {
        send(OutgoingEvent.put(event));
    }

    private void send(final OutgoingEvent say) {
        sink.send(say).join();
    }

    @Override
    public void close() throws InterruptedException {
        stopping.countDown();
        thread.join();
        // The next test must not send its jobs here.
        sites.values().forEach(site -> close(site, new WlmHealth.Stale(Instant.now(), "the test is over")));
        sink.close();
        consumer.close();
        if (trouble != null) {
            throw trouble;
        }
    }
}
