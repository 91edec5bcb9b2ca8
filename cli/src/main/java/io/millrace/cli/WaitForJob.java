package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.EventStream;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.UrlComponent;
import io.millrace.cli.text.JobTable;
import io.millrace.cli.text.Printer;
import io.millrace.cli.text.Terminal;

/** Waits until a job has finished. Shows its state on a terminal. */
final class WaitForJob {

    private final ApiClient api;
    private final Terminal terminal;
    private final String command;
    private String shown = "";

    /** @param command the name of the command, for messages */
    WaitForJob(final ApiClient api, final Terminal terminal, final String command) {
        this.api = api;
        this.terminal = terminal;
        this.command = command;
    }

    /** Returns the exit code of the job, 1 if it has none; of a batch 0 if all its jobs exited with 0. */
    int until(final String id) throws CommandException {
        final JsonNode named = api.get("/jobs/" + UrlComponent.encode(id));
        if (WaitForBatch.isBatch(named)) {
            return new WaitForBatch(api, named).untilFinished(command);
        }
        final LatestState last = new LatestState(named);
        if (!last.isFinished()) {
            new EventStream(api).follow(last);
        }
        return exit(last.job);
    }

    /** The latest state of the job. A new stream omits finished jobs, so the job is also queried when the stream is idle. */
    private final class LatestState implements EventStream.Listener {
        private JsonNode job;

        LatestState(final JsonNode job) {
            this.job = job;
        }

        boolean isFinished() {
            return job.path("finished").asBoolean();
        }

        @Override
        public boolean onEvent(final JsonNode event) {
            if (event.path("job").path("id").equals(job.path("id"))) {
                job = event.path("job");
                show(job);
            }
            return !isFinished();
        }

        @Override
        public boolean onIdle() throws CommandException {
            job = api.get("/jobs/" + job.path("id").asText());
            return !isFinished();
        }
    }

    private void show(final JsonNode job) {
        final String line = JobTable.state(job)
                + (job.hasNonNull("cluster") ? " on " + job.path("cluster").asText() : "");
        if (terminal.errIsTerminal() && !line.equals(shown)) {
            Printer.err(line);
            shown = line;
        }
    }

    private int exit(final JsonNode job) {
        if (!job.has("outcome")) {
            Printer.err(command + ": job " + job.path("number").asText() + " "
                    + job.path("state").asText() + ": " + job.path("reason").asText());
            return ExitCode.FAILED;
        }
        final JsonNode code = job.path("outcome").path("exitCode");
        if (!code.isInt()) {
            Printer.err(command + ": job " + job.path("number").asText() + ": "
                    + job.path("outcome").path("detail").asText());
            return ExitCode.FAILED;
        }
        return code.asInt();
    }
}
