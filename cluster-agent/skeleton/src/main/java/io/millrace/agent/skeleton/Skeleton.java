package io.millrace.agent.skeleton;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Observation;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.agent.wlm.capability.Cancelling;
import io.millrace.agent.wlm.capability.Observing;
import io.millrace.agent.wlm.capability.Signalling;
import io.millrace.agent.wlm.capability.Submitting;
import io.millrace.model.ClusterId;
import io.millrace.model.JobId;
import io.millrace.model.JobKey;
import io.millrace.model.job.ScriptText;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The workload manager Skeleton. Beyond the roles that every adapter has, it has one: signals. */
final class Skeleton implements Observing, Submitting, Cancelling, Signalling {

    private final ClusterId cluster;
    private final @Nullable Path programs;
    private final Runner runner;
    private final Clock clock;

    Skeleton(final ClusterId cluster, final @Nullable Path programs, final Runner runner, final Clock clock) {
        this.cluster = cluster;
        this.programs = programs;
        this.runner = runner;
        this.clock = clock;
    }

    /** A large adapter has a class for each role; this one has all. */
    WorkloadManager adapter() {
        return WorkloadManager.of(this, this, this).with(Signalling.class, this);
    }

    @Override
    public String version() {
        return "skeleton 1.0";
    }

    @Override
    public Answer<Observation> observe() {
        return runner.run(new StatusQuery(cluster, program("skstat"), clock.instant()));
    }

    /** Runs as the owner; {@code --hold} keeps the job from starting before Millrace releases it. */
    @Override
    public Answer<JobKey> submit(final Submission submission) {
        final Sksub sksub = new Sksub(program("sksub"), submission);
        return runner.as(submission.owner(), submission.authority())
                .run(sksub)
                .map(id -> new JobKey(new JobId(cluster, id), clock.instant()));
    }

    @Override
    public Answer<Accepted> cancel(final JobKey job) {
        return runner.run(new Change(List.of(program("skdel"), "--", job.id().local())));
    }

    @Override
    public Answer<Accepted> signal(final JobKey job, final String signal) {
        return Signalling.name(signal)
                .then(name -> runner.run(new Change(List.of(
                        program("skdel"), "--signal=" + name, "--", job.id().local()))));
    }

    private String program(final String name) {
        return programs == null ? name : programs.resolve(name).toString();
    }

    /** {@code sksub}: prints the id of the new job. */
    private record Sksub(String program, Submission submission) implements CommandLine<String> {

        @Override
        public List<String> argv() {
            return List.of(
                    program,
                    "--hold",
                    "--tag=" + submission.attempt(),
                    "--cores=" + submission.spec().resources().cores(),
                    "-");
        }

        @Override
        public byte[] input() {
            return ScriptText.bytes(submission.spec().script());
        }

        @Override
        public String directory() {
            return submission.directory();
        }

        @Override
        public Answer<String> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(result.outputText().strip())
                    : Answer.trouble(Answer.Kind.REJECTED, "sksub failed: " + result.errorText());
        }
    }

    /** A command that changes a job and prints nothing. */
    private record Change(List<String> argv) implements CommandLine<Accepted> {

        @Override
        public Answer<Accepted> read(final CommandResult result) {
            return result.succeeded()
                    ? Answer.ok(new Accepted(String.join(" ", argv)))
                    : Answer.trouble(Answer.Kind.REJECTED, argv.get(0) + " failed: " + result.errorText());
        }
    }
}
