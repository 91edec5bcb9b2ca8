package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.cli.api.Json;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Jobs in the JSON of Slurm, in the form of its data parser since version 23.02. */
final class SlurmJson {

    private SlurmJson() {}

    static String jobs(final String command, final List<SlurmJob> jobs) {
        final ArrayNode all = Json.object().putArray("jobs");
        jobs.forEach(job -> all.add(job(job)));
        return document(command, "jobs", all);
    }

    /** @param kind the field with the content */
    static String document(final String command, final String kind, final ArrayNode content) {
        final ObjectNode document = Json.object();
        document.set(kind, content);
        final ObjectNode slurm = document.putObject("meta").putObject("slurm");
        slurm.putObject("version").put("major", "22").put("minor", "05").put("micro", "8");
        slurm.put("release", new SlurmVersion().getVersion()[0]).put("command", command);
        document.putArray("errors");
        document.putArray("warnings");
        return Json.pretty(document);
    }

    private static ObjectNode job(final SlurmJob job) {
        final ObjectNode json = Json.object();
        json.put("job_id", Long.parseLong(job.array()));
        number(json, "array_job_id", job.view().hasNonNull("batch") ? Long.valueOf(job.array()) : null);
        number(
                json,
                "array_task_id",
                job.tasks() == null && job.view().hasNonNull("index")
                        ? job.view().path("index").asLong()
                        : null);
        json.put("array_task_string", job.tasks() == null ? "" : job.tasks());
        json.put("name", job.text("name")).put("user_name", job.text("user")).put("account", job.text("project"));
        json.put("partition", job.text("partition")).put("cluster", job.text("cluster"));
        json.putArray("job_state").add(job.state().name());
        json.put("state_reason", job.reason()).put("nodes", job.text("cluster"));
        json.put("current_working_directory", job.text("directory"));
        json.put("standard_output", job.standardOutput()).put("standard_error", job.standardError());
        json.put("dependency", job.text("dependency")).put("tres_req_str", SlurmField.tres(job));
        json.put("restart_cnt", job.view().path("preemptions").asLong());
        number(json, "cpus", job.view().path("cores").asLong());
        number(json, "node_count", (long) job.nodes());
        number(json, "priority", job.view().path("priority").asLong());
        number(json, "time_limit", job.limit().toMinutes());
        number(json, "memory_per_node", job.view().path("memoryMib").asLong() / job.nodes());
        number(json, "submit_time", seconds(job.time("submittedAt")));
        number(json, "start_time", seconds(job.start()));
        number(json, "end_time", seconds(job.end()));
        final String[] exit = job.exit().split(":");
        final ObjectNode code = json.putObject("exit_code");
        code.putArray("status").add(exit[1].equals("0") ? exit[0].equals("0") ? "SUCCESS" : "ERROR" : "SIGNALED");
        number(code, "return_code", Long.valueOf(exit[0]));
        number(code.putObject("signal"), "id", Long.valueOf(exit[1]));
        return json;
    }

    private static @Nullable Long seconds(final @Nullable Instant time) {
        return time == null ? null : time.getEpochSecond();
    }

    /** A number that may be absent. */
    static void number(final ObjectNode json, final String name, final @Nullable Long value) {
        json.putObject(name).put("set", value != null).put("infinite", false).put("number", value == null ? 0 : value);
    }
}
