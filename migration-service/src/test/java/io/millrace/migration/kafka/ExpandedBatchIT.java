package io.millrace.migration.kafka;

import io.millrace.embedded.EmbeddedKafka;
import io.millrace.model.GlobalJobId;
import io.millrace.model.job.GlobalJob;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.JobSubmitted;
import io.millrace.testing.Attack;
import io.millrace.testing.service.PoisonedLog;
import io.millrace.testing.service.ServiceProcess;
import io.millrace.testing.service.TestLog;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose texts together are larger than the heap, as users and tools may write them to the log. */
class ExpandedBatchIT {

    private static final int JOBS = 400;
    /** That of the launcher's profile {@code demo}. */
    private static final String DEMO_HEAP = "-Xmx80m";

    private static final String MAKE = "#!/bin/sh\n# " + "m".repeat(200 * 1024);
    private static final String VARIABLE = "v".repeat(60 * 1024);

    private static JobSubmitted job(final int number) {
        return job(number, MAKE);
    }

    private static JobSubmitted job(final int number, final String make) {
        final JobSubmitted sample = (JobSubmitted) PoisonedLog.sample(
                "millrace.job.submitted.v1.free",
                "01JNFQ6M5T8W3KZX9B2C4D7E1F",
                "01JNFQ6M5T8W3KZX9B2C4D%04d".formatted(number));
        final JobSpec spec = sample.spec();
        final Map<String, String> environment = new HashMap<>(spec.environment());
        environment.put("LARGE", VARIABLE);
        environment.put("SLURM_ARRAY_TASK_ID", Integer.toString(number));
        return sample.withSpec(new JobSpec(
                spec.name(),
                spec.script(),
                make,
                spec.resources(),
                spec.walltime(),
                spec.partition(),
                spec.project(),
                environment,
                spec.checkpoint(),
                spec.strict(),
                spec.arguments()));
    }

    private static void awaitState(final TestLog log, final GlobalJobId id) {
        log.await("a state of job " + id, GlobalJob.class, job -> job.id().equals(id));
    }

    @Attack("a batch whose jobs repeat 260 KiB of texts fills the heap of migration-service at every start")
    @Test
    void the_service_decides_on_it_with_its_small_heap_and_starts_again(@TempDir final Path data) throws Exception {
        decidesAndStartsAgain(data, number -> job(number));
    }

    @Attack("400 waiting jobs of a user with 260 KiB of texts each, all different, fill the heap of migration-service")
    @Test
    void the_service_decides_on_jobs_with_different_texts_too(@TempDir final Path data) throws Exception {
        decidesAndStartsAgain(data, number -> job(number, MAKE + number));
    }

    private static void decidesAndStartsAgain(final Path data, final IntFunction<JobSubmitted> jobs) throws Exception {
        try (EmbeddedKafka broker = EmbeddedKafka.start(data, 0)) {
            final String[] settings = {DEMO_HEAP, "-Dmillrace.kafka.bootstrap-servers=" + broker.bootstrapServers()};
            final GlobalJobId last = job(JOBS).job();
            try (TestLog log = new TestLog(broker.bootstrapServers())) {
                for (int number = 1; number <= JOBS; number++) {
                    log.put(jobs.apply(number));
                }
                try (ServiceProcess service = ServiceProcess.start(settings)) {
                    service.awaitReady();
                    awaitState(log, last);
                    service.kill();
                }
            }
            try (ServiceProcess again = ServiceProcess.start(settings);
                    TestLog log = new TestLog(broker.bootstrapServers())) {
                again.awaitReady();
                final JobSubmitted next = jobs.apply(JOBS + 1);
                log.put(next);
                awaitState(log, next.job());
            }
        }
    }
}
