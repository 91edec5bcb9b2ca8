package io.millrace.lab.parts;

import com.sun.management.OperatingSystemMXBean;
import io.millrace.embedded.EmbeddedKafka;
import io.millrace.log.Clients;
import io.millrace.log.EventCodec;
import io.millrace.log.Topics;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.PartitionName;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.cluster.Eligibility;
import io.millrace.model.cluster.JobDetail;
import io.millrace.model.cluster.JobObserved;
import io.millrace.model.cluster.JobState;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;

/**
 * What a revision costs on a topic that clusters share, and on a topic of its cluster (ADR 38): agents write revisions in transactions, the shards of
 * a loop read them, and the broker runs in this process, so that its processor time counts. Rounds of both kinds alternate.
 *
 * <p>Arguments: clusters, revisions in a round, rounds.
 */
public final class RevisionCost {

    private static final int SHARDS = 12;
    private static final int AGENTS = 25;
    private static final int JOBS = 20;
    private static final String SHARED = "shared";
    private static final String OWN = "own.";
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final String bootstrap;
    private final List<ClusterId> clusters;
    private final List<List<ProducerRecord<byte[], byte[]>>> revisions;
    private final List<Producer<byte[], byte[]>> agents = new ArrayList<>();

    private RevisionCost(final String bootstrap, final int count) {
        this.bootstrap = bootstrap;
        this.clusters =
                IntStream.range(0, count).mapToObj(i -> ClusterId.of("c" + i)).toList();
        final EventCodec codec = new EventCodec("agent");
        this.revisions = clusters.stream()
                .map(cluster -> IntStream.rangeClosed(0, JOBS)
                        .mapToObj(i -> codec.write(observation(cluster, i), Instant.now(), 1))
                        .toList())
                .toList();
    }

    /** A round of one kind: microseconds of processor time per revision, and the median of the time until it was read. */
    private record Round(double cpu_us, double read_ms) {}

    /** Runs the measurement and prints its figures. */
    public static void main(final String... args) throws Exception {
        final int count = Integer.parseInt(args[0]);
        final int each = Integer.parseInt(args[1]);
        final Path data = Files.createTempDirectory("revision-cost");
        try (EmbeddedKafka broker = EmbeddedKafka.start(data, 0)) {
            final RevisionCost cost = new RevisionCost(broker.bootstrapServers(), count);
            cost.createTopics();
            cost.openAgents();
            final Map<Boolean, List<Round>> rounds = new HashMap<>();
            for (int round = -2; round < 2 * Integer.parseInt(args[2]); round++) {
                final boolean own = round % 2 != 0;
                final Round measured = cost.round(own, each);
                if (round >= 0) { // the first two warm up
                    rounds.computeIfAbsent(own, kind -> new ArrayList<>()).add(measured);
                }
            }
            rounds.forEach((own, all) -> System.out.printf(
                    "%-24s %6.0f µs of processor time per revision, read after %5.2f ms (medians of %d rounds of %d)%n",
                    own ? "one topic per cluster" : "shared topic",
                    median(all.stream().mapToDouble(Round::cpu_us).toArray()),
                    median(all.stream().mapToDouble(Round::read_ms).toArray()),
                    all.size(),
                    each));
            cost.signatureCost();
            cost.agents.forEach(Producer::close);
        }
    }

    private static double median(final double[] values) {
        Arrays.sort(values);
        return values[values.length / 2];
    }

    private void createTopics() throws ExecutionException, InterruptedException {
        try (Admin admin = Clients.openAdmin(bootstrap, Map.of())) {
            final List<NewTopic> topics = new ArrayList<>();
            topics.add(new NewTopic(SHARED, SHARDS, (short) 1));
            clusters.forEach(cluster -> topics.add(new NewTopic(OWN + cluster, 1, (short) 1)));
            final long begin = System.nanoTime();
            admin.createTopics(topics).all().get();
            System.out.printf("%d topics created in %d ms%n", topics.size(), (System.nanoTime() - begin) / 1_000_000);
            final long listing = System.nanoTime();
            for (int i = 0; i < 50; i++) {
                admin.listTopics().names().get();
            }
            System.out.printf("a list of the topics takes %.1f ms%n", (System.nanoTime() - listing) / 50e6);
        }
    }

    private void openAgents() {
        for (int i = 0; i < AGENTS; i++) {
            final Producer<byte[], byte[]> agent =
                    Clients.openProducer(Clients.transactionalProducer(bootstrap, "agent-" + i, Map.of()));
            agent.initTransactions();
            agents.add(agent);
        }
    }

    private Round round(final boolean own, final int count) throws InterruptedException {
        final AtomicLong read = new AtomicLong();
        final List<KafkaConsumer<byte[], byte[]>> shards = new ArrayList<>();
        final List<Thread> threads = new ArrayList<>();
        for (int shard = 0; shard < SHARDS; shard++) {
            final KafkaConsumer<byte[], byte[]> consumer =
                    Clients.openTail(Clients.consumer(bootstrap, "cost", Map.of()));
            final List<TopicPartition> inputs = inputs(own, shard);
            consumer.assign(inputs);
            consumer.seekToEnd(inputs);
            inputs.forEach(consumer::position);
            shards.add(consumer);
            threads.add(Thread.ofPlatform().start(() -> read(consumer, read)));
        }
        Thread.sleep(1_000);
        final double[] latencies = new double[count];
        final long cpu = PROCESS.getProcessCpuTime();
        for (int i = 0; i < count; i++) {
            final long begin = System.nanoTime();
            write(own, i % clusters.size());
            while (read.get() < (i + 1L) * (JOBS + 1)) {
                Thread.sleep(Duration.ofNanos(200_000));
            }
            latencies[i] = (System.nanoTime() - begin) / 1e6;
        }
        final double cpu_us = (PROCESS.getProcessCpuTime() - cpu) / 1e3 / count;
        shards.forEach(KafkaConsumer::wakeup);
        for (final Thread thread : threads) {
            thread.join();
        }
        return new Round(cpu_us, median(latencies));
    }

    private List<TopicPartition> inputs(final boolean own, final int shard) {
        return own
                ? clusters.stream()
                        .filter(cluster -> Topics.shardOf(cluster, SHARDS) == shard)
                        .map(cluster -> new TopicPartition(OWN + cluster, 0))
                        .toList()
                : List.of(new TopicPartition(SHARED, shard));
    }

    private static void read(final KafkaConsumer<byte[], byte[]> consumer, final AtomicLong read) {
        try (consumer) {
            while (true) {
                read.addAndGet(consumer.poll(Duration.ofSeconds(5)).count());
            }
        } catch (final WakeupException e) {
            // the round is over
        }
    }

    private void write(final boolean own, final int cluster) {
        final Producer<byte[], byte[]> agent = agents.get(cluster % AGENTS);
        final String topic = own ? OWN + clusters.get(cluster) : SHARED;
        final int partition = own ? 0 : Topics.shardOf(clusters.get(cluster), SHARDS);
        agent.beginTransaction();
        for (final ProducerRecord<byte[], byte[]> record : revisions.get(cluster)) {
            agent.send(new ProducerRecord<>(topic, partition, record.key(), record.value(), record.headers()));
        }
        agent.commitTransaction();
    }

    private static JobObserved observation(final ClusterId cluster, final int number) {
        final Instant submitted = Instant.parse("2026-11-01T00:00:00Z");
        return new JobObserved(
                new JobKey(new JobId(cluster, Integer.toString(number)), submitted),
                "job",
                UserName.of("anna"),
                null,
                PartitionName.of("main"),
                new JobState.Queued(),
                null,
                Resources.cores(1),
                Duration.ofMinutes(10),
                Eligibility.since(submitted),
                null,
                0,
                0,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }

    private void signatureCost() throws GeneralSecurityException {
        final byte[] value = revisions.getFirst().getFirst().value();
        System.out.printf("verifying an ES256 signature of a record takes %.0f µs%n", signatureCost(value));
    }

    /** The alternative: microseconds to verify a signature of the record. */
    private static double signatureCost(final byte[] value) throws GeneralSecurityException {
        final KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        final KeyPair keys = generator.generateKeyPair();
        final Signature signer = Signature.getInstance("SHA256withECDSA");
        signer.initSign(keys.getPrivate());
        signer.update(value);
        final byte[] signature = signer.sign();
        double each = 0;
        for (int round = 0; round < 3; round++) {
            final long begin = System.nanoTime();
            for (int i = 0; i < 1_000; i++) {
                final Signature verifier = Signature.getInstance("SHA256withECDSA");
                verifier.initVerify(keys.getPublic());
                verifier.update(value);
                if (!verifier.verify(signature)) {
                    throw new IllegalStateException("the signature is not valid");
                }
            }
            each = (System.nanoTime() - begin) / 1e6;
        }
        return each;
    }
}
