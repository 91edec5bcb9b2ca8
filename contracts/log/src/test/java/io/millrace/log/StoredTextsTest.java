package io.millrace.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.testing.Attack;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Texts of jobs that a decider does not keep. */
class StoredTextsTest {

    private static final long SEED = 20261129;
    private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

    private final StoredTexts texts = new StoredTexts();

    private static GlobalJobId id(final int number) {
        return GlobalJobId.of("01JNFQ6M5T8W3KZX9B2C%06d".formatted(number));
    }

    private static JobSubmitted job(
            final int number,
            final String script,
            final @Nullable String make,
            final Map<String, String> variables,
            final @Nullable List<String> arguments) {
        return new JobSubmitted(
                id(number),
                1,
                UserName.of("anna"),
                new JobSpec(
                        "job",
                        script,
                        make,
                        Resources.cores(1),
                        Duration.ofHours(1),
                        null,
                        null,
                        variables,
                        new CheckpointMethod.None(),
                        false,
                        arguments),
                ClusterId.of("alpha"),
                "/home/anna",
                null,
                NOW,
                "signature");
    }

    private static GlobalJob state(final JobSubmitted job, final GlobalJobState state) {
        return new GlobalJob(job, state, List.of(), null, NOW, 1);
    }

    private static final List<JobSubmitted> SAMPLES = List.of(
            job(1, "#!/bin/sh\n", null, Map.of(), null),
            job(2, "", "", Map.of("A", ""), List.of("")),
            job(3, "größe \ud83d\ude00 \0 \ud83d half", "make", Map.of("B", "x\ny", "A", "z"), List.of("a", "", "b")));

    @Test
    void a_job_gets_its_texts_back_in_each_event() {
        for (final JobSubmitted job : SAMPLES) {
            final JobSubmitted kept = texts.keep(job);
            assertThat(kept.spec().script()).hasSize(64);
            assertThat(kept.spec().environment()).isEmpty();
            assertThat(kept.spec().make() == null).isEqualTo(job.spec().make() == null);
            assertThat(texts.complete(kept)).isEqualTo(job);
            assertThat(texts.keep(job)).isEqualTo(kept);

            final GlobalJob state = state(job, new GlobalJobState.Waiting("waits"));
            assertThat(texts.complete(texts.keep(state))).isEqualTo(state);
            for (final Action action : List.of(
                    new Action.Submit(job.job().attempt(1), job.owner(), kept.spec(), "/x", ""),
                    new Action.Make(job.job().attempt(1), job.owner(), kept.spec(), "/x", ""))) {
                final Event full = texts.complete(command(action));
                final JobSpec spec = ((Command) full).action() instanceof Action.Submit submit
                        ? submit.spec()
                        : ((Action.Make) ((Command) full).action()).spec();
                assertThat(spec).isEqualTo(job.spec());
            }
        }
    }

    private static Command command(final Action action) {
        return new Command(
                Command.idOf(Issuer.MIGRATION, action, 0),
                ClusterId.of("alpha"),
                Issuer.MIGRATION,
                0,
                NOW,
                NOW.plusSeconds(60),
                List.of(),
                action,
                "test");
    }

    @Test
    void the_texts_of_a_job_that_has_ended_are_not_kept_when_it_is_read_for_the_first_time() {
        final GlobalJob ended =
                texts.keep(state(SAMPLES.getFirst(), new GlobalJobState.Stopped(UserName.of("anna"), "stopped")));

        assertThat(ended.submission().spec().script()).isEmpty();
        assertThatThrownBy(() -> texts.complete((Event) ended)).hasMessageContaining("are not kept");
    }

    @Test
    @Attack("scripts of 256 KiB, each another one, of a user's waiting jobs fill the heap of a deciding service")
    void distinct_texts_of_waiting_jobs_are_not_in_the_heap() {
        final Random random = new Random(SEED);
        final String large = "x".repeat(256 * 1024);
        final List<JobSubmitted> kept = new ArrayList<>();
        final long before_kib = used_kib();
        for (int i = 0; i < 400; i++) {
            kept.add(texts.keep(job(i, i + large, null, Map.of(), null)));
        }
        final long grown_kib = used_kib() - before_kib;
        System.out.println("400 jobs with a script of 256 KiB each: " + grown_kib + " KiB");

        assertThat(grown_kib).isLessThan(10 * 1024);
        final int one = random.nextInt(400);
        assertThat(texts.complete(kept.get(one)).spec().script()).isEqualTo(one + large);
    }

    private static long used_kib() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1024;
    }

    @Test
    void the_file_is_written_again_without_the_texts_of_ended_jobs() {
        final Random random = new Random(SEED);
        final Map<Integer, String> scripts = new HashMap<>();
        final Map<Integer, JobSubmitted> kept = new HashMap<>();
        for (int i = 0; i < 25_000; i++) {
            final String script = random.nextInt(100_000) + "script".repeat(random.nextInt(100));
            scripts.put(i, script);
            kept.put(i, texts.keep(job(i, script, null, Map.of(), null)));
            if (i > 100) {
                final int over = random.nextInt(i);
                texts.ended(id(over));
                kept.remove(over);
            }
            if (i % 5_000 == 0) {
                kept.forEach(
                        (number, job) -> assertThat(texts.complete(job).spec().script())
                                .as("seed %s, job %s", SEED, number)
                                .isEqualTo(scripts.get(number)));
            }
        }
        assertThat(kept).isNotEmpty();
        kept.forEach(
                (number, job) -> assertThat(texts.complete(job).spec().script()).isEqualTo(scripts.get(number)));
    }
}
