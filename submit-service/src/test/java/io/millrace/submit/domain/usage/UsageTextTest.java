package io.millrace.submit.domain.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunEnded;
import io.millrace.model.cluster.RunOutcome;
import io.millrace.submit.TestData;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

class UsageTextTest {

    private static final Instant EVENING = Instant.parse("2026-11-20T22:30:00Z");

    /** Also read by the simulator's tests. */
    private static final Path SWF = Path.of("src", "test", "resources", "usage.swf");

    private static final ResourceUsage USED = new ResourceUsage(Duration.ofSeconds(905), 512L << 20, 173);

    private static RunEnded run(final int number, final String user, final Instant ended, final RunOutcome outcome) {
        return TestData.ended(
                TestData.key(TestData.ALPHA, number), user, number % 2 == 0 ? "physics" : null, ended, outcome);
    }

    @Test
    void what_a_run_used_is_compared_with_what_it_requested() {
        final RunEnded run = run(1, "anna", EVENING, new RunOutcome.Exited(0));

        assertThat(UsedText.of(run)).isEmpty();
        assertThat(UsedText.of(run.withUsage(USED))).hasValue("1.5 of 4 cores, 0.5 of 2 GiB");
        assertThat(UsedText.of(run.withUsage(new ResourceUsage(Duration.ofHours(1), null, null))))
                .hasValue("6 of 4 cores");
        assertThat(UsedText.of(run.withUsage(new ResourceUsage(null, 33L << 30, null))))
                .hasValue("33 of 2 GiB");
    }

    @Test
    void a_run_is_a_line_of_csv() {
        assertThat(UsageCsv.HEADER
                        + UsageCsv.line(run(1, "anna", EVENING, new RunOutcome.Exited(0))
                                .withUsage(USED)))
                .isEqualTo("""
                    cluster,localJobId,submittedAt,run,globalJob,attempt,name,user,project,partition,cores,nodes,memoryMib,gpus,walltimeSeconds,\
                    startedAt,endedAt,elapsedSeconds,coreSeconds,lostCoreSeconds,outcome,exitCodeOrSignal,source,cpuSeconds,peakMemoryBytes,peakGpuPercent\r
                    alpha,1,2026-03-01T12:00:01Z,1,,,"a ""b"", c",anna,,main,4,1,2048,0,3600,\
                    2026-11-20T22:20:00Z,2026-11-20T22:30:00Z,600,2400,0,exited,0,sacct,905,536870912,173\r
                    """);
    }

    @Test
    void a_run_is_a_line_of_swf_behind_the_definitions_of_its_names() throws Exception {
        final UsageSwf lines = new UsageSwf();

        assertThat(UsageSwf.header(ZoneId.of("Europe/Berlin"))
                        + lines.next(run(2, "bob", EVENING.plusSeconds(3600), new RunOutcome.TimedOut())
                                .withUsage(USED))
                        + lines.next(run(3, "anna", EVENING.plusSeconds(3600), new RunOutcome.Requeued())))
                .isEqualTo(Files.readString(SWF));
    }
}
