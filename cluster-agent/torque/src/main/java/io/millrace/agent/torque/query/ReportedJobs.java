package io.millrace.agent.torque.query;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Accepted;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.Control;
import java.time.Clock;
import java.util.function.BiFunction;

/** Applies commands to reported jobs, with the control of the server. The key of an array means its waiting tasks. */
public record ReportedJobs(TorqueSite site, Runner runner, JobLookup jobs, WaitingArrayTasks tasks, Clock clock) {

    public Answer<Control> control() {
        return runner.run(new ServerQuery(site)).map(ServerQuery::control);
    }

    public <T> Answer<T> apply(final JobKey job, final BiFunction<ReportedJob, Control, Answer<T>> command) {
        return control()
                .then(control ->
                        jobs.reported(job, control, tasks, clock.instant()).then(seen -> command.apply(seen, control)));
    }

    /** Applies a command to the job, or to each waiting task of an array until the first error. */
    public Answer<Accepted> each(final JobKey job, final BiFunction<TorqueJob, Control, Answer<Accepted>> command) {
        return apply(job, (seen, control) -> {
            Answer<Accepted> last = Answer.ok(new Accepted("nothing to do"));
            for (final TorqueJob one : seen.all()) {
                last = last.then(done -> command.apply(one, control));
            }
            return last;
        });
    }
}
