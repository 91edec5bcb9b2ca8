package io.millrace.lab.attacks;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.GlobalJobState;
import io.millrace.model.job.JobSubmitted;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A user with jobs that contain a secret word, which no answer to another user may contain. */
final class Victim {

    static final String NAME = "victim";
    static final String SECRET = "topsecret";
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static @Nullable Victim known;

    private final Operations.Target jobs;

    private Victim(final AttackedSite site) {
        final ApiClient victim = site.as(NAME);
        final JobObserved local = localJob();
        site.log().put(local);
        final String job = created(victim, "/api/v1/jobs", body("/home/" + SECRET));
        final String batch = created(
                victim, "/api/v1/batches", body("/home/" + SECRET).replaceFirst("\\{", "{\"array\": \"1-2\", "));
        jobs = new Operations.Target(NAME, job, batch, local.key().toString());
    }

    static synchronized Victim on(final AttackedSite site) {
        if (known == null) {
            known = new Victim(site);
        }
        return known;
    }

    Operations.Target jobs() {
        return jobs;
    }

    /** A submission with the secret in each of its texts. */
    static String body(final String directory) {
        return """
            {"name": "%1$s", "script": "#!/bin/sh\\n# %1$s\\ntrue\\n", "cores": 1, "walltime": "5", "source": "alpha",
             "directory": "%2$s", "environment": {"TOKEN": "%1$s"}}\
            """.formatted(SECRET, directory);
    }

    /** The id of a new job or batch that queries show. */
    static String created(final ApiClient owner, final String path, final String body) {
        final ApiClient.Answer accepted = owner.post(path, body);
        assertThat(accepted.status()).as(accepted.text()).isEqualTo(202);
        final String id = accepted.json().path("id").asText();
        await(id + " to be shown", () -> owner.get(path + "/" + id).status() == 200);
        return id;
    }

    /** A job of the victim that was stopped, so that its files are those of its directory. */
    static String stopped(final AttackedSite site, final String directory) {
        final ApiClient victim = site.as(NAME);
        final String id = created(victim, "/api/v1/jobs", body(directory));
        final JobSubmitted submission = site.log()
                .await(
                        "the submission",
                        JobSubmitted.class,
                        sent -> sent.job().value().equals(id));
        site.log()
                .put(new GlobalJob(
                        submission,
                        new GlobalJobState.Stopped(UserName.of(NAME), "because the test stops it"),
                        java.util.List.of(),
                        null,
                        Instant.now(),
                        1));
        await(
                "job " + id + " is stopped",
                () -> victim.get("/api/v1/jobs/" + id)
                        .json()
                        .path("state")
                        .asText()
                        .equals("stopped"));
        return id;
    }

    static void awaitCluster(final ApiClient client) {
        await("cluster alpha", () -> client.get("/api/v1/clusters").text().contains("\"alpha\""));
    }

    static void await(final String what, final java.util.function.BooleanSupplier condition) {
        final Instant limit = Instant.now().plus(PATIENCE);
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).as("waited in vain for " + what).isBefore(limit);
            try {
                Thread.sleep(100);
            } catch (final InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private static JobObserved localJob() {
        final Instant submitted = Instant.parse("2026-03-01T12:00:00Z");
        return new JobObserved(
                new JobKey(new JobId(ClusterId.of("gamma"), "1"), submitted),
                SECRET,
                UserName.of(NAME),
                null,
                PartitionName.of("main"),
                new JobState.Queued(),
                null,
                Resources.cores(4),
                Duration.ofHours(1),
                Eligibility.since(submitted),
                null,
                0,
                10,
                new CheckpointMethod.None(),
                JobDetail.NONE);
    }
}
