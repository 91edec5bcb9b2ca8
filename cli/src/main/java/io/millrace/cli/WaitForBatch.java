package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.EventStream;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.text.Printer;
import io.millrace.model.job.JobStatus;
import java.util.ArrayList;
import java.util.List;

/** Waits until all jobs of a batch have finished. */
final class WaitForBatch implements EventStream.Listener {

    private final ApiClient api;
    private JsonNode batch;

    /** @param batch as the API shows it */
    WaitForBatch(final ApiClient api, final JsonNode batch) {
        this.api = api;
        this.batch = batch;
    }

    /** Whether the API answered with a batch where a job or a batch can be named. */
    static boolean isBatch(final JsonNode answer) {
        return answer.has("counts");
    }

    /** Returns 0 if every job exited with 0, otherwise 1. */
    int untilFinished(final String command) throws CommandException {
        if (!isFinished()) {
            new EventStream(api).follow(this);
        }
        long failed = 0;
        final List<String> states = new ArrayList<>();
        for (final JsonNode count : batch.path("counts")) {
            if (!count.path("state").asText().equals(JobStatus.SUCCEEDED.word())) {
                failed += count.path("jobs").asLong();
                states.add(count.path("state").asText());
            }
        }
        if (failed > 0) {
            final String number = batch.path("number").asText();
            Printer.err(command + ": batch " + number + ": " + failed + " of "
                    + batch.path("jobs").asLong() + " jobs did not succeed; list them with: mgstat --batch " + number
                    + " -s " + String.join(",", states));
            return ExitCode.FAILED;
        }
        return ExitCode.OK;
    }

    private boolean isFinished() {
        return batch.path("finished").asBoolean();
    }

    @Override
    public boolean onEvent(final JsonNode event) throws CommandException {
        final JsonNode job = event.path("job");
        return !job.path("batch").asText().equals(batch.path("id").asText())
                || !job.path("finished").asBoolean()
                || onIdle();
    }

    @Override
    public boolean onIdle() throws CommandException {
        batch = api.get("/batches/" + batch.path("id").asText());
        return !isFinished();
    }
}
