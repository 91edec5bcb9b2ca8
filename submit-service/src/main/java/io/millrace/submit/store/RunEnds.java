package io.millrace.submit.store;

import io.millrace.model.GlobalJobId;
import io.millrace.model.JobKey;
import io.millrace.model.cluster.RunEnded;
import io.millrace.submit.domain.EventText;
import io.millrace.submit.domain.Position;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;

/** Ended runs. */
@ApplicationScoped
public class RunEnds {

    private final EventText text;

    RunEnds(final EventText text) {
        this.text = text;
    }

    /** Takes a run that the log has at {@code at}; the caller sees each position once. */
    public void ended(final RunEnded end, final Position at) {
        final RunEndRow row = new RunEndRow();
        row.partition = at.partition();
        row.offset = at.offset();
        row.jobKey = end.job().toString();
        row.job = end.attempt() == null ? null : end.attempt().job().value();
        row.ended = end.ended();
        row.body = text.write(end);
        row.persist();
    }

    /** Runs of a local job, oldest first. */
    public List<RunEnded> of(final JobKey job) {
        return read(RunEndRow.list("jobKey = ?1 order by ended", job.toString()));
    }

    /** Runs of all attempts of a global job, oldest first. */
    public List<RunEnded> of(final GlobalJobId job) {
        return read(RunEndRow.list("job = ?1 order by ended", job.value()));
    }

    public long forgetBefore(final Instant horizon) {
        return RunEndRow.delete("ended < ?1", horizon);
    }

    private List<RunEnded> read(final List<RunEndRow> rows) {
        return rows.stream().map(row -> text.read(row.body, RunEnded.class)).toList();
    }
}
