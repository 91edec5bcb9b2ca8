package io.millrace.agent.slurm.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.domain.Run;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.slurm.Transcripts;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.UserName;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code sacct} of Slurm 22.05 printed about a requeued job, a heterogeneous one, and a short one. */
class UsageLookupTest {

    private static final String PRINTED = """
        1|1795945049|1795945058|00:08.378||
        1.batch|1795945049|1795945058|00:07.909|cpu=00:00:04,energy=0,fs/disk=52370,mem=326160384,pages=2,vmem=333328384|
        1.0|1795945058|1795945058|00:00.469|energy=0|
        2|1795945049|1795945049|00:00.002||
        2.batch|1795945049|1795945049|00:00.002|energy=0|
        3|1795945583|1795945591|00:01.983||
        3.batch|1795945583|1795945592|00:01.983|cpu=00:00:01,energy=0,fs/disk=180022121,mem=63176704,pages=0,vmem=64151552|
        4+0|1795945584|1795945597|00:03.687||
        4+0.batch|1795945584|1795945597|00:03.687|cpu=00:00:02,energy=0,fs/disk=180022121,mem=63340544,pages=0,vmem=64|
        4+1|1795945584|1795945597|00:00:00||
        3|1795945595|1795945608|00:07.239||
        3.batch|1795945595|1795945608|00:07.239|cpu=00:00:04,energy=0,fs/disk=180022121,mem=63229952,pages=0,vmem=65|
        """;

    private static final class Sacct implements Runner {
        private String printed = PRINTED;
        private String error = "";
        private int queries;

        @Override
        public <T> Answer<T> run(final CommandLine<T> command) {
            queries++;
            return command.read(CommandResult.of(0, printed, error));
        }

        @Override
        public Runner as(final UserName owner) {
            return this;
        }
    }

    private static final class Now extends Clock {
        private Instant now = Instant.ofEpochSecond(1795945609);

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(final ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }

    private final Sacct sacct = new Sacct();
    private final Now clock = new Now();
    private final UsageLookup lookup = new UsageLookup(Transcripts.SITE, sacct, clock);

    private static Run run(final String id, final int number, final long started, final long ended) {
        return new Run(
                new JobKey(new JobId(Transcripts.SITE.cluster(), id), Instant.ofEpochSecond(1795945000)),
                number,
                Instant.ofEpochSecond(started),
                Instant.ofEpochSecond(ended),
                new RunOutcome.Exited(0),
                "jobcomp");
    }

    private ResourceUsage used(final Run run) {
        return lookup.complete(List.of(run)).getFirst().used();
    }

    @Test
    void the_cpu_time_is_the_sum_over_the_steps_and_the_memory_their_maximum() {
        assertThat(used(run("1", 1, 1795945049, 1795945058)))
                .isEqualTo(new ResourceUsage(Duration.ofMillis(8_378), 326_160_384L, null));
        assertThat(used(run("4", 1, 1795945584, 1795945597)))
                .isEqualTo(new ResourceUsage(Duration.ofMillis(3_687), 63_340_544L, null));
        assertThat(used(run("2", 1, 1795945049, 1795945049)))
                .as("ended before the first sample")
                .isEqualTo(new ResourceUsage(Duration.ofMillis(2), null, null));
    }

    @Test
    void each_run_of_a_requeued_job_has_its_own_figures() {
        assertThat(lookup.complete(List.of(run("3", 1, 1795945583, 1795945591), run("3", 2, 1795945595, 1795945608))))
                .extracting(run -> run.used().cpuTime())
                .containsExactly(Duration.ofSeconds(2), Duration.ofSeconds(7));
    }

    @Test
    void gpu_use_and_long_times_are_read() {
        sacct.printed = """
            7|1795940000|1795945058|2-01:00:05||
            7.extern|1795940000|1795945058|00:00.010|energy=0|
            7.0|1795940000|1795945058|2-01:00:04|cpu=2-01:00:00,gres/gpumem=21794M,gres/gpuutil=173,mem=8000000000|
            """;
        assertThat(used(run("7", 1, 1795940000, 1795945058)))
                .isEqualTo(new ResourceUsage(Duration.ofHours(49).plusSeconds(5), 8_000_000_000L, 173));
    }

    @Test
    void a_job_that_was_killed_over_its_allocated_memory_is_out_of_memory() {
        sacct.printed = """
            6|1795949857|1795949858|00:00.120||cpu=1,mem=100M,node=1
            6.batch|1795949857|1795949858|00:00.120|cpu=00:00:00,energy=0,fs/disk=52166,mem=325865472|cpu=1,mem=100M,node=1
            """;
        final Run killed = run("6", 1, 1795949857, 1795949858).with(new RunOutcome.Signalled(9));
        assertThat(lookup.complete(List.of(killed)))
                .extracting(Run::outcome)
                .containsExactly(new RunOutcome.OutOfMemory());
        sacct.printed = sacct.printed.replace("mem=100M", "mem=400M");
        assertThat(lookup.complete(List.of(killed))).extracting(Run::outcome).containsExactly(killed.outcome());
    }

    @Test
    void an_end_waits_a_few_seconds_for_its_figures() {
        final Run last = run("3", 2, 1795945595, 1795945608);
        sacct.printed = PRINTED.replace("3|1795945595|1795945608|", "3|1795945595|Unknown|");
        assertThat(lookup.complete(List.of(last))).isEmpty();
        sacct.printed = PRINTED.replace("3.batch|1795945595|1795945608|", "3.batch|1795945595|Unknown|");
        assertThat(lookup.complete(List.of(last)))
                .as("the batch step of a job that was killed ends later than the job")
                .isEmpty();

        clock.now = clock.now.plusSeconds(10);
        assertThat(lookup.complete(List.of(last)))
                .extracting(run -> run.used().peakMemoryBytes())
                .containsExactly(63_229_952L);
    }

    @Test
    void without_an_answer_of_slurmdbd_ends_are_reported_at_once_and_it_is_not_asked_for_a_minute() {
        final Run last = run("3", 2, 1795945595, 1795945608);
        sacct.error = "sacct: error: Slurm accounting storage is disabled\n";
        assertThat(lookup.complete(List.of(last))).containsExactly(last);
        assertThat(lookup.complete(List.of(last))).containsExactly(last);
        assertThat(sacct.queries).isEqualTo(1);

        sacct.error = "";
        clock.now = clock.now.plusSeconds(61);
        assertThat(used(last).cpuTime()).isEqualTo(Duration.ofSeconds(7));
    }
}
