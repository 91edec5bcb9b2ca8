package io.millrace.agent;

import static io.millrace.agent.FakeDeciders.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.wlm.capability.Offer;
import io.millrace.model.AttemptId;
import io.millrace.model.CommandId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import io.millrace.model.cluster.Control;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.RevisionClosed;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.model.command.Action;
import io.millrace.model.command.Command;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Precondition;
import io.millrace.model.command.Refusal;
import io.millrace.model.command.Result;
import io.millrace.testing.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands of the deciders to an agent with one embedded cluster of four cores, and what it observes. */
class AgentCommandsIT extends AgentScenario {

    @Test
    void the_first_revision_shows_the_whole_cluster() {
        deciders.await("a marker", () -> deciders.view.marker() != null);
        final RevisionClosed marker = deciders.view.marker();
        assertThat(marker.revision()).isEqualTo(1);
        assertThat(marker.total().cores()).isEqualTo(4);
        assertThat(marker.free().cores()).isEqualTo(4);
        assertThat(marker.control()).isEqualTo(Control.DIRECTED);
        assertThat(marker.capabilities())
                .isEqualTo(Offer.of(agent.cluster.adapter()).capabilities());
        assertThat(marker.notes())
                .isEqualTo(Offer.of(agent.cluster.adapter()).notes())
                .containsKey(Capability.ALTER);
        assertThat(marker.stagingRoot()).isEqualTo(home.resolve("staging").toString());
        assertThat(deciders.view.nodes()).hasSize(2);
        assertThat(deciders.view.partitions()).hasSize(1);

        deciders.await("heartbeats", () -> deciders.view.marker().revision() > 2);
        assertThat(deciders.view.jobs()).isEmpty();
    }

    @Test
    void a_global_job_is_submitted_held_released_started_and_settled() throws IOException {
        final AttemptId attempt = deciders.attempt();
        final JobKey job = deciders.submit(attempt, directory, spec("#!/bin/sh\necho hello >result\nexit 3\n", 1));
        deciders.awaitState(job, JobState.Held.class);
        assertThat(deciders.view.job(job).state()).isEqualTo(new JobState.Held(HoldKind.SUBMISSION));
        assertThat(deciders.view.job(job).attempt()).isEqualTo(attempt);

        deciders.does(Issuer.MIGRATION, new Action.Release(job));
        deciders.does(
                Issuer.BACKFILL, new Action.Start(job), new Precondition.JobWaits(job), new Precondition.IdleCores(1));
        final RunEnded end = deciders.awaitEnd(job);
        assertThat(end.outcome()).isEqualTo(new RunOutcome.Exited(3));
        assertThat(end.attempt()).isEqualTo(attempt);
        assertThat(end.run()).isEqualTo(1);
        assertThat(Files.readString(directory.resolve("result"))).isEqualTo("hello\n");
        assertThat(deciders.ends).filteredOn(other -> other.job().equals(job)).hasSize(1);
    }

    @Test
    void a_marker_includes_a_start_only_when_the_job_is_seen_running() {
        final JobKey job = deciders.released(directory, spec(SLEEP, 1));
        final CommandId start = deciders.order(Issuer.BACKFILL, new Action.Start(job));
        deciders.answer(start);
        deciders.awaitState(job, JobState.Running.class);
        deciders.await(
                "a marker that includes all", () -> deciders.view.marker().commandsIncluded() >= 3);
        assertThat(deciders.view.marker().free().cores()).isEqualTo(3);
    }

    @Test
    void what_may_not_be_done_is_refused_with_its_reason() {
        final JobKey job = deciders.released(directory, spec(SLEEP, 4));
        final JobKey other = deciders.released(directory, spec(SLEEP, 1));

        assertRefused(
                deciders.answer(deciders.order(
                        Issuer.BACKFILL, new Action.Start(job), Instant.now().minusSeconds(1))),
                Refusal.EXPIRED,
                "command expired at");
        assertRefused(deciders.answers(Issuer.MIGRATION, new Action.Start(job)), Refusal.NOT_PERMITTED, "MIGRATION");
        assertRefused(
                deciders.answers(Issuer.BACKFILL, new Action.Start(job), new Precondition.IdleCores(5)),
                Refusal.STALE,
                "needs 5 idle cores; 4 cores are idle");
        assertRefused(deciders.answers(Issuer.BACKFILL, new Action.Requeue(job)), Refusal.STALE, "not running");
        deciders.does(Issuer.BACKFILL, new Action.Start(job));
        assertRefused(
                deciders.answers(Issuer.BACKFILL, new Action.Start(other)),
                Refusal.STALE,
                "needs 1 cores; 0 cores are idle");
        assertRefused(
                deciders.answers(
                        Issuer.MIGRATION,
                        new Action.Submit(
                                deciders.view.job(job).attempt(),
                                UserName.of("anna"),
                                spec(SLEEP, 1),
                                directory.toString(),
                                ""),
                        new Precondition.AttemptAbsent(deciders.view.job(job).attempt())),
                Refusal.STALE,
                "already exists");
    }

    @Test
    void submit_service_may_change_the_walltime_of_a_waiting_job_and_nothing_else_of_it() {
        final JobKey job = deciders.released(directory, spec(SLEEP, 1));
        deciders.does(
                Issuer.SUBMIT, new Action.AlterWalltime(job, Duration.ofMinutes(3)), new Precondition.JobWaits(job));
        deciders.await(
                "the walltime",
                () -> Duration.ofMinutes(3).equals(deciders.view.job(job).walltime()));
        assertRefused(deciders.answers(Issuer.SUBMIT, new Action.Cancel(job)), Refusal.NOT_PERMITTED, "SUBMIT");

        deciders.does(Issuer.BACKFILL, new Action.Start(job));
        assertRefused(
                deciders.answers(
                        Issuer.SUBMIT,
                        new Action.AlterWalltime(job, Duration.ofHours(3)),
                        new Precondition.JobWaits(job)),
                Refusal.STALE,
                "");
    }

    @Test
    void two_starts_in_one_burst_do_not_share_cores() {
        final JobKey wide = deciders.released(directory, spec(SLEEP, 3));
        final JobKey other = deciders.released(directory, spec(SLEEP, 3));
        final CommandId first = deciders.order(Issuer.BACKFILL, new Action.Start(wide));
        final CommandId second = deciders.order(Issuer.BACKFILL, new Action.Start(other));
        assertThat(deciders.answer(first)).isInstanceOf(Result.Done.class);
        assertRefused(deciders.answer(second), Refusal.STALE, "1 cores are idle");
    }

    @Test
    void the_same_command_twice_takes_effect_once() throws IOException {
        final Action.Submit submit =
                new Action.Submit(deciders.attempt(), UserName.of("anna"), spec(SLEEP, 1), directory.toString(), "");
        final Command command =
                deciders.command(Issuer.MIGRATION, submit, Instant.now().plusSeconds(600));
        deciders.put(command);
        deciders.answer(command.id());
        deciders.put(command);
        deciders.put(command);
        deciders.does(Issuer.MIGRATION, new Action.Cancel(((Result.Done) deciders.answer(command.id())).job()));

        assertThat(deciders.answers(command.id())).hasSize(1);
        assertThat(deciders.begun(command.id())).isEqualTo(1);
        assertThat(agent.cluster.find(submit.attempt(), submit.owner()).get()).hasSize(1);
    }

    @Test
    void a_job_cancelled_before_it_was_observed_has_an_end() {
        final JobKey job = deciders.submit(deciders.attempt(), directory, spec(SLEEP, 1));
        deciders.does(Issuer.MIGRATION, new Action.Cancel(job));
        final RunEnded end = deciders.awaitEnd(job);
        assertThat(end.outcome()).isEqualTo(new RunOutcome.Cancelled());
        assertThat(end.startedAt()).isNull();
    }

    @Test
    void a_requeue_ends_the_run_and_counts_what_is_lost() {
        final JobKey job = deciders.run(directory, spec(SLEEP, 2));
        deciders.does(Issuer.BACKFILL, new Action.Requeue(job));
        deciders.await(
                "the end of its run",
                () -> deciders.ends.stream().anyMatch(end -> end.job().equals(job)));
        final RunEnded end = deciders.ends.get(0);
        assertThat(end.outcome()).isEqualTo(new RunOutcome.Requeued());
        assertThat(end.run()).isEqualTo(1);
        assertThat(end.lostCoreSeconds()).isEqualTo(end.coreSeconds());
        deciders.awaitState(job, JobState.Held.class);
        assertThat(deciders.view.job(job).restarts()).isEqualTo(1);
    }

    @Test
    void site_users_are_the_accounts_of_the_cluster_both_ways_and_a_change_needs_no_restart() throws IOException {
        agent.close();
        final Path file = home.resolve("site-mapping.yaml");
        Files.writeString(file, "listed-only: true\naccounts:\n  anna: as12\nmodules:\n  gcc: GCC/13\n");
        agent = new TestAgent(Stack.kafka().bootstrapServers(), deciders.cluster, home);
        final JobKey job = deciders.submit(deciders.attempt(), directory, spec(SLEEP, 1));
        deciders.awaitState(job, JobState.Held.class);
        assertThat(agent.cluster.observe().get().jobs())
                .extracting(seen -> seen.owner().value())
                .containsExactly("as12");
        assertThat(deciders.view.job(job).owner()).isEqualTo(UserName.of("anna"));
        assertThat(deciders.view.siteMapping()).isNotNull();
        assertThat(deciders.view.siteMapping().modules()).containsEntry("gcc", List.of("GCC/13"));

        final Action.Submit berts =
                new Action.Submit(deciders.attempt(), UserName.of("bert"), spec(SLEEP, 1), directory.toString(), "");
        assertRefused(deciders.answers(Issuer.MIGRATION, berts), Refusal.NOT_PERMITTED, "'bert' has no account on");
        assertThat(agent.cluster.observe().get().jobs()).hasSize(1);

        Files.writeString(file, "listed-only: true\naccounts:\n  anna: as12\n  bert: b7\n");
        deciders.await(
                "the change on the log",
                () -> deciders.view.siteMapping().accounts().size() == 2);
        deciders.does(Issuer.MIGRATION, berts);
    }

    @Test
    void a_poisoned_command_is_answered_and_buried_and_the_next_one_carried_out() {
        final String unknownField = "{\"id\":\"migration:fly:x:0\",\"cluster\":\"" + deciders.cluster
                + "\",\"issuer\":\"MIGRATION\",\"wings\":2}";
        poison(unknownField);
        poison("not json at all");
        final JobKey job = deciders.submit(deciders.attempt(), directory, spec(SLEEP, 1));
        assertThat(job).isNotNull();
        assertRefused(deciders.answer(CommandId.of("migration:fly:x:0")), Refusal.UNSUPPORTED, "upgrade the agent");
    }

    private void poison(final String value) {
        try (var producer = new org.apache.kafka.clients.producer.KafkaProducer<>(
                io.millrace.log.Clients.producer(Stack.kafka().bootstrapServers(), Stack.PATIENT),
                new org.apache.kafka.common.serialization.StringSerializer(),
                new org.apache.kafka.common.serialization.StringSerializer())) {
            final var record = new org.apache.kafka.clients.producer.ProducerRecord<>(
                    io.millrace.model.protocol.Topic.COMMANDS.topicName(deciders.cluster),
                    0,
                    deciders.cluster.value(),
                    value);
            record.headers()
                    .add("ce_type", "millrace.command.issued.v1".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            producer.send(record);
        }
    }
}
