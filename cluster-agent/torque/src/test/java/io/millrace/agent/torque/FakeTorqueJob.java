package io.millrace.agent.torque;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** A job of the fake. Times are seconds since 1970, as on the server. */
final class FakeTorqueJob {

    final String id;
    final String owner;
    final String directory;
    final String script;
    final Map<String, String> resources = new LinkedHashMap<>();
    final Map<String, String> used = new LinkedHashMap<>();
    final Map<String, String> variables = new LinkedHashMap<>();
    final Instant created;
    String name = "STDIN";
    String queue = "batch";
    String account = "";
    String holds = "";
    String comment = "";
    String checkpoint = "u";
    String join = "n";
    String output = "";
    String submitArguments = "";
    String task = "";
    String depend = "";
    boolean rerunable = true;
    boolean interactive;
    char state = 'Q';
    /** Slots by host. */
    Map<String, Integer> slots = new TreeMap<>();

    Instant etime;
    Instant started;
    Instant ended;
    Instant waitsUntil;
    Instant changed;
    int starts;
    Integer exitStatus;
    long session;
    /** What happens when the job's processes have ended: normal end, requeue or checkpoint. */
    String then = "end";

    boolean overWalltime;
    FakeTorqueSession running;

    FakeTorqueJob(final String id, final String owner, final String directory, final String script, final Instant now) {
        this.id = id;
        this.owner = owner;
        this.directory = directory;
        this.script = script;
        this.created = Instant.ofEpochSecond(now.getEpochSecond());
        this.changed = created;
        this.etime = created;
    }

    String execHost() {
        final StringBuilder text = new StringBuilder();
        slots.forEach((host, cores) -> text.append(text.isEmpty() ? "" : "+")
                .append(host)
                .append('/')
                .append(cores == 1 ? "0" : "0-" + (cores - 1)));
        return text.toString();
    }

    String plainExecHost() {
        final StringBuilder text = new StringBuilder();
        slots.forEach((host, cores) -> {
            for (int slot = 0; slot < cores; slot++) {
                text.append(text.isEmpty() ? "" : "+").append(host).append('/').append(slot);
            }
        });
        return text.toString();
    }

    boolean waits() {
        return "QHW".indexOf(state) >= 0;
    }

    boolean isArray() {
        return id.contains("[]");
    }

    /** The attributes in the order of qstat. A name with a dot is a member of a group. */
    Map<String, Object> attributes(final boolean classic, final boolean asManager, final String host) {
        final Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("Job_Name", name);
        attributes.put("Job_Owner", owner + "@" + host);
        used.forEach((resource, value) -> attributes.put("resources_used." + resource, value));
        attributes.put("job_state", String.valueOf(state));
        attributes.put("queue", queue);
        attributes.put("server", host);
        put(attributes, "Account_Name", account);
        attributes.put("Checkpoint", checkpoint);
        attributes.put("ctime", created);
        put(attributes, "depend", depend);
        attributes.put("Error_Path", host + ":" + directory + "/" + name + ".e" + id.replaceAll("\\D.*", ""));
        put(attributes, "exec_host", classic ? plainExecHost() : execHost());
        if (waitsUntil != null) {
            attributes.put("Execution_Time", waitsUntil);
        }
        attributes.put("Hold_Types", holds.isEmpty() ? "n" : holds);
        attributes.put("Join_Path", join);
        attributes.put("Keep_Files", "n");
        attributes.put("Mail_Points", "a");
        attributes.put("mtime", changed);
        attributes.put(
                "Output_Path", output.isEmpty() ? host + ":" + directory + "/" + name + ".o" : host + ":" + output);
        attributes.put("Priority", "0");
        attributes.put("qtime", created);
        attributes.put("Rerunable", rerunable ? "True" : "False");
        if (interactive) {
            attributes.put("interactive", "True");
        }
        resources.forEach((resource, value) -> attributes.put("Resource_List." + resource, value));
        if (session > 0) {
            attributes.put("session_id", Long.toString(session));
        }
        if (asManager) {
            final StringBuilder list = new StringBuilder();
            variables.forEach((variable, value) -> list.append(list.isEmpty() ? "" : ",")
                    .append(variable)
                    .append('=')
                    .append(value));
            attributes.put("Variable_List", list.toString());
        }
        attributes.put("euser", owner);
        attributes.put("egroup", owner);
        attributes.put("queue_type", "E");
        put(attributes, "comment", comment);
        if (etime != null && holds.isEmpty() && waitsUntil == null) {
            attributes.put("etime", etime);
        }
        if (exitStatus != null) {
            attributes.put("exit_status", exitStatus.toString());
        }
        if (classic) {
            return attributes;
        }
        attributes.put("submit_args", submitArguments);
        put(attributes, isArray() ? "job_array_request" : "job_array_id", task);
        if (started != null) {
            attributes.put("start_time", started);
        }
        if (state == 'R') {
            attributes.put("Walltime.Remaining", "3587");
        }
        if (starts > 0) {
            attributes.put("start_count", Integer.toString(starts));
        }
        attributes.put("fault_tolerant", "False");
        if (ended != null && state == 'C') {
            attributes.put("comp_time", ended);
        }
        attributes.put("job_radix", "0");
        if (ended != null && state == 'C' && started != null) {
            attributes.put("total_runtime", "0.126164");
        }
        attributes.put("submit_host", host);
        attributes.put("init_work_dir", directory);
        attributes.put("request_version", "1");
        return attributes;
    }

    private static void put(final Map<String, Object> attributes, final String name, final String value) {
        if (!value.isEmpty()) {
            attributes.put(name, value);
        }
    }
}
