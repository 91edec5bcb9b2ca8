package io.millrace.submit.kafka;

import static io.millrace.submit.kafka.WebhookReceiver.busy;
import static io.millrace.submit.kafka.WebhookReceiver.endless;
import static io.millrace.submit.kafka.WebhookReceiver.hangUp;
import static io.millrace.submit.kafka.WebhookReceiver.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.millrace.log.EventSink;
import io.millrace.log.Topics;
import io.millrace.model.Event;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import io.millrace.submit.TestData;
import io.millrace.submit.config.KafkaSettings;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.HandlerStatus;
import io.millrace.submit.domain.handler.HandlerStatus.State;
import io.millrace.submit.handlers.DeliveryWorker;
import io.millrace.submit.handlers.HandlerTracker;
import io.millrace.submit.handlers.HandlersFile;
import io.millrace.testing.Stack;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Handlers on a real broker, with a receiver that fails in typical ways. */
@Timeout(900)
class HandlersIT {

    /** Root runs nothing, so under root the programs run as {@code nobody}. */
    private static final String SELF =
            System.getProperty("user.name").equals("root") ? "nobody" : System.getProperty("user.name");

    private static KafkaSettings kafka;
    private static EventSink log;
    private static LoggedClusters clusters;
    private static DeadLetterWriter deadLetters;

    @TempDir
    Path folder;

    /** Each test has separate users, because all tests share one log. */
    private final String user = "h" + UUID.randomUUID().toString().substring(0, 8);

    private final List<HandlerRunner> attached = new ArrayList<>();

    @BeforeAll
    static void openLog() {
        final String servers = Stack.kafka().bootstrapServers();
        kafka = new KafkaSettings() {
            @Override
            public String group() {
                return "millrace-submit";
            }

            @Override
            public Optional<Path> clientProperties() {
                return Optional.empty();
            }

            @Override
            public String bootstrapServers() {
                return servers;
            }

            @Override
            public int partitions() {
                return 3;
            }

            @Override
            public short replication() {
                return 1;
            }
        };
        Topics.create(servers, kafka.partitions(), kafka.replication());
        Topics.create(servers, TestData.ALPHA, kafka.replication());
        clusters = new LoggedClusters(kafka);
        log = new EventSink(servers, "test", Clock.systemUTC(), Stack.PATIENT);
        deadLetters = new DeadLetterWriter(kafka, new SimpleMeterRegistry());
    }

    @AfterAll
    static void closeLog() {
        log.close();
        deadLetters.close();
        clusters.close();
    }

    @AfterEach
    void detach() {
        attached.forEach(HandlerRunner::close);
    }

    private Handler handler(final String name, final String... lines) throws IOException {
        final String text =
                "handlers:\n  %s-%s:\n    events: [millrace.job.submitted.v1]\n    users: [%s]\n    from: beginning\n"
                                .formatted(name, user, user)
                        + Stream.of(lines).map(line -> "    " + line + "\n").reduce("", String::concat);
        return HandlersFile.read(Files.writeString(folder.resolve(name + ".yaml"), text))
                .getFirst();
    }

    /** With a timeout that a slow machine does not reach, unless a line overrides it. */
    private Handler webhook(final int port, final String... lines) throws IOException {
        final Path secret = Files.writeString(folder.resolve("secret"), WebhookReceiver.SECRET + "\n");
        final List<String> all = new ArrayList<>(List.of(
                "webhook: http://127.0.0.1:" + port + "/in",
                "secret-file: " + secret,
                "initial-backoff: 20ms",
                "max-backoff: 200ms"));
        all.addAll(List.of(lines));
        if (all.stream().noneMatch(line -> line.startsWith("timeout:"))) {
            all.add("timeout: 5m");
        }
        return handler("hook", all.toArray(String[]::new));
    }

    private HandlerRunner attach(final Handler handler) {
        final HandlerRunner handled = new HandlerRunner(
                kafka.bootstrapServers(),
                DeliveryWorker.to(handler, id -> Optional.empty(), Clock.systemUTC(), new Random(1)),
                deadLetters,
                clusters);
        handled.start();
        attached.add(handled);
        return handled;
    }

    private JobSubmitted submit(final String name) {
        return say(TestData.submitted(TestData.id(), user, name));
    }

    private static <E extends Event> E say(final E event) {
        log.put(event).join();
        return event;
    }

    private static HandlerStatus await(final HandlerTracker tracker, final Predicate<HandlerStatus> condition)
            throws InterruptedException {
        while (!condition.test(tracker.status())) {
            Thread.sleep(20);
        }
        return tracker.status();
    }

    private static HandlerStatus await(final HandlerRunner handler, final Predicate<HandlerStatus> condition)
            throws InterruptedException {
        return await(handler.worker().tracker(), condition);
    }

    private static List<String> distinctSubjects(final List<WebhookReceiver.Got> got) {
        return got.stream().map(WebhookReceiver.Got::subject).distinct().toList();
    }

    @Test
    void matching_events_arrive_signed_and_in_order() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            attach(webhook(receiver.port()));
            final JobSubmitted first = submit("Länge 1");
            say(TestData.submitted(TestData.id(), "x" + user, "foreign"));
            say(TestData.job(first, new GlobalJobState.Waiting("another type"), 1));
            final JobSubmitted second = submit("second");

            final List<WebhookReceiver.Got> got = receiver.await(all -> all.size() >= 2);

            assertThat(distinctSubjects(got)).containsExactly(first.key(), second.key());
            assertThat(got)
                    .allMatch(WebhookReceiver.Got::signed)
                    .allMatch(each -> each.type().equals("millrace.job.submitted.v1"));
            final JsonNode event = new ObjectMapper().readTree(got.getFirst().body());
            assertThat(event.path("spec").path("name").asText()).isEqualTo("Länge 1");
            assertThat(event.has("signature")).as("what an agent acts on").isFalse();
        }
    }

    @Test
    void a_structured_event_is_one_document() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            attach(webhook(receiver.port(), "mode: structured"));
            final JobSubmitted job = submit("one");

            final WebhookReceiver.Got got =
                    receiver.await(all -> !all.isEmpty()).getFirst();

            final JsonNode event = new ObjectMapper().readTree(got.body());
            assertThat(got.contentType()).startsWith("application/cloudevents+json");
            assertThat(event.path("specversion").asText()).isEqualTo("1.0");
            assertThat(event.path("subject").asText()).isEqualTo(job.key());
            assertThat(event.path("data").path("owner").asText()).isEqualTo(user);
            assertThat(got.signed()).isTrue();
        }
    }

    @Test
    void a_failing_slow_or_busy_receiver_gets_the_same_event_until_it_accepts_it() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            receiver.then(status(500), endless(), hangUp(), busy("1"), status(302), status(503));
            final HandlerRunner handler = attach(webhook(receiver.port(), "timeout: 1s"));
            final JobSubmitted first = submit("first");
            final JobSubmitted second = submit("second");

            final List<WebhookReceiver.Got> got =
                    receiver.await(all -> distinctSubjects(all).size() == 2);

            assertThat(distinctSubjects(got)).containsExactly(first.key(), second.key());
            assertThat(got.subList(0, 7))
                    .extracting(WebhookReceiver.Got::id)
                    .containsOnly(got.getFirst().id());
            final HandlerStatus shown = await(handler, each -> each.delivered() == 2);
            assertThat(shown.failedAttempts()).isGreaterThanOrEqualTo(6);
            assertThat(shown.state()).isEqualTo(State.DELIVERING);
        }
    }

    @Test
    void a_dead_endpoint_blocks_no_other_handler_and_continues_at_its_offset() throws Exception {
        // Bound, so that the port stays free, but not listening, so that connections are refused.
        try (Socket nobody = new Socket()) {
            nobody.setReuseAddress(true);
            nobody.bind(new InetSocketAddress("127.0.0.1", 0));
            aDeadEndpointHoldsUpNobody(nobody.getLocalPort());
        }
    }

    private void aDeadEndpointHoldsUpNobody(final int port) throws Exception {
        final HandlerRunner dead = attach(webhook(port, "attempts: 1", "on-failure: pause"));
        Files.setOwner(
                folder, folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(SELF));
        final Path written = folder.resolve("written");
        final Path program = Files.writeString(folder.resolve("tell"), "#!/bin/sh\ncat >> " + written + "\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        final HandlerRunner alive =
                attach(handler("tell", "program: [" + program + "]", "user: " + SELF, "timeout: 5m"));
        final List<String> jobs =
                IntStream.range(0, 5).mapToObj(i -> submit("job" + i).key()).toList();

        await(alive, shown -> shown.delivered() == 5);
        assertThat(Files.readAllLines(written)).hasSize(5);
        assertThat(await(dead, shown -> shown.state() == State.PAUSED).reason())
                .contains("connection refused by 127.0.0.1:" + port);
        await(dead, shown -> shown.lag() >= jobs.size());

        try (WebhookReceiver receiver = new WebhookReceiver(port)) {
            dead.worker().tracker().resume();
            assertThat(distinctSubjects(receiver.await(all -> all.size() >= 5))).containsExactlyElementsOf(jobs);
        }
    }

    @Test
    void an_undeliverable_event_is_dead_lettered_and_redelivered_once_on_request() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            receiver.always(status(500));
            final HandlerRunner handler = attach(webhook(receiver.port(), "attempts: 2"));
            final JobSubmitted lost = submit("lost");
            await(handler, shown -> shown.deadLettered() == 1);
            receiver.always(status(204));
            final JobSubmitted next = submit("next");
            await(handler, shown -> shown.delivered() == 1);

            handler.redeliver();
            await(handler, shown -> shown.delivered() == 2);

            assertThat(receiver.got())
                    .extracting(WebhookReceiver.Got::subject)
                    .containsExactly(lost.key(), lost.key(), next.key(), lost.key());
            assertThat(receiver.got()).allMatch(WebhookReceiver.Got::signed);
            assertThat(receiver.got().getLast().id())
                    .isEqualTo(receiver.got().getFirst().id());

            // The next redelivery contains only newer dead letters.
            receiver.then(status(415));
            final JobSubmitted rejected = submit("rejected");
            await(handler, shown -> shown.deadLettered() == 2);
            again(handler);
            await(handler, shown -> shown.delivered() == 3);
            assertThat(receiver.got().subList(4, receiver.got().size()))
                    .extracting(WebhookReceiver.Got::subject)
                    .containsExactly(rejected.key(), rejected.key());
        }
    }

    /** The thread of the previous redelivery may take a moment to end. */
    private static void again(final HandlerRunner handler) throws InterruptedException {
        while (true) {
            try {
                handler.redeliver();
                return;
            } catch (io.millrace.submit.domain.RequestRefused busy) {
                Thread.sleep(20);
            }
        }
    }

    @Test
    void a_receiver_that_answers_gone_is_paused_and_misses_nothing_after_a_restart() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            receiver.then(status(410));
            final Handler handler = webhook(receiver.port());
            final HandlerRunner first = attach(handler);
            final String gone = submit("gone").key();
            final String after = submit("after").key();
            assertThat(await(first, shown -> shown.state() == State.PAUSED).reason())
                    .contains("410");
            first.close();
            assertThat(receiver.got()).hasSize(1);

            attach(handler);

            assertThat(distinctSubjects(receiver.await(all -> all.size() >= 3))).containsExactly(gone, after);
        }
    }

    @Test
    void instances_that_start_and_stop_during_deliveries_lose_nothing_and_keep_the_order() throws Exception {
        try (WebhookReceiver receiver = new WebhookReceiver()) {
            final Handler handler = webhook(receiver.port());
            final HandlerRunner first = attach(handler);
            final List<String> jobs = new ArrayList<>();
            IntStream.range(0, 60).forEach(i -> jobs.add(submit("a" + i).key()));
            receiver.await(all -> all.size() >= 20);
            attach(handler); // a rebalance
            IntStream.range(0, 60).forEach(i -> jobs.add(submit("b" + i).key()));
            receiver.await(all -> all.size() >= 60);
            first.close();
            IntStream.range(0, 60).forEach(i -> jobs.add(submit("c" + i).key()));

            final List<WebhookReceiver.Got> got =
                    receiver.await(all -> distinctSubjects(all).size() >= jobs.size());

            assertThat(distinctSubjects(got)).containsExactlyElementsOf(jobs);
        }
    }

    /** Compiles and runs the receiver of the guide. */
    @Test
    void the_receiver_of_the_guide_accepts_only_signed_events() throws Exception {
        final Path source = folder.resolve("Receiver.java");
        Files.writeString(source, example("class Receiver"));
        final ProcessBuilder java = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), source.toString(), "0");
        java.environment().put("WEBHOOK_SECRET", WebhookReceiver.SECRET);
        final Process receiver =
                java.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader said = receiver.inputReader()) {
            final int port = Integer.parseInt(said.readLine().replaceAll("\\D+", ""));
            attach(webhook(port));
            final JobSubmitted job = submit("for the example");
            assertThat(said.readLine()).contains("millrace.job.submitted.v1").contains(job.key());

            Files.writeString(folder.resolve("secret"), "whsec_" + "A".repeat(32));
            submit("with another secret");
            await(attached.getFirst(), shown -> shown.state() == State.FAILING);
            assertThat(attached.getFirst().worker().tracker().status().reason()).contains("401");
        } finally {
            receiver.destroyForcibly();
        }
    }

    private static String example(final String holding) throws IOException {
        final String guide = Files.readString(Path.of("../docs/guide/integrator.md"));
        return Stream.of(guide.split("```"))
                .filter(block -> block.startsWith("java\n") && block.contains(holding))
                .map(block -> block.substring("java\n".length()))
                .findFirst()
                .orElseThrow();
    }
}
