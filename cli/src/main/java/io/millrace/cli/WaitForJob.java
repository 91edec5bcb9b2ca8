package io.millrace.cli;

import com.fasterxml.jackson.databind.JsonNode;

/** Waits until a job is over; says on a terminal how far it is. */
final class WaitForJob {

    private final Api api;
    private final Terminal terminal;
    private String shown = "";

    WaitForJob(final Api api, final Terminal terminal) {
        this.api = api;
        this.terminal = terminal;
    }

    /** The job's own exit code; 1 if it has none. */
    int until(final String id) throws Failure {
        final JsonNode now = api.get("/jobs/" + id);
        if (now.path("over").asBoolean()) {
            return exit(now);
        }
        // The first picture of the stream holds the job as it is, so nothing falls between the two.
        final JsonNode[] last = {now};
        new Follower(api).follow(event -> {
            final JsonNode job = event.path("job");
            if (!job.path("id").asText().equals(id)) {
                return true;
            }
            last[0] = job;
            show(job);
            return !job.path("over").asBoolean();
        });
        return exit(last[0]);
    }

    private void show(final JsonNode job) {
        final String line = Jobs.state(job)
                + (job.hasNonNull("cluster") ? " on " + job.path("cluster").asText() : "");
        if (terminal.interactiveErrors() && !line.equals(shown)) {
            System.err.println(line);
            shown = line;
        }
    }

    private int exit(final JsonNode job) {
        if (!job.path("state").asText().equals("End")) {
            System.err.println("mgsub: job " + job.path("id").asText() + " "
                    + job.path("state").asText() + ": " + job.path("detail").asText());
            return Exit.FAILED;
        }
        final JsonNode code = job.path("outcome").path("exitCode");
        if (!code.isInt()) {
            System.err.println("mgsub: job " + job.path("id").asText() + " was "
                    + job.path("outcome").path("text").asText());
            return Exit.FAILED;
        }
        return code.asInt();
    }
}
