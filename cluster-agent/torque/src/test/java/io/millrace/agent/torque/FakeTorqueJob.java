package io.millrace.agent.torque;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** A job of the stand-in: what a server keeps of it. Times are kept as seconds since 1970, as the server does. */
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
    /** What becomes of it when its processes are gone: nothing said, put back, saved. */
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

    /** In the order in which qstat prints them; a name with a dot is a resource of a group. */
    Map<String, Object> attributes(final boolean classic, final boolean asManager, final String host) {
        final Map<String, Object> told = new LinkedHashMap<>();
        told.put("Job_Name", name);
        told.put("Job_Owner", owner + "@" + host);
        used.forEach((resource, value) -> told.put("resources_used." + resource, value));
        told.put("job_state", String.valueOf(state));
        told.put("queue", queue);
        told.put("server", host);
        put(told, "Account_Name", account);
        told.put("Checkpoint", checkpoint);
        told.put("ctime", created);
        put(told, "depend", depend);
        told.put("Error_Path", host + ":" + directory + "/" + name + ".e" + id.replaceAll("\\D.*", ""));
        put(told, "exec_host", classic ? plainExecHost() : execHost());
        if (waitsUntil != null) {
            told.put("Execution_Time", waitsUntil);
        }
        told.put("Hold_Types", holds.isEmpty() ? "n" : holds);
        told.put("Join_Path", join);
        told.put("Keep_Files", "n");
        told.put("Mail_Points", "a");
        told.put("mtime", changed);
        told.put("Output_Path", output.isEmpty() ? host + ":" + directory + "/" + name + ".o" : host + ":" + output);
        told.put("Priority", "0");
        told.put("qtime", created);
        told.put("Rerunable", rerunable ? "True" : "False");
        if (interactive) {
            told.put("interactive", "True");
        }
        resources.forEach((resource, value) -> told.put("Resource_List." + resource, value));
        if (session > 0) {
            told.put("session_id", Long.toString(session));
        }
        if (asManager) {
            final StringBuilder list = new StringBuilder();
            variables.forEach((variable, value) -> list.append(list.isEmpty() ? "" : ",")
                    .append(variable)
                    .append('=')
                    .append(value));
            told.put("Variable_List", list.toString());
        }
        told.put("euser", owner);
        told.put("egroup", owner);
        told.put("queue_type", "E");
        put(told, "comment", comment);
        if (etime != null && holds.isEmpty() && waitsUntil == null) {
            told.put("etime", etime);
        }
        if (exitStatus != null) {
            told.put("exit_status", exitStatus.toString());
        }
        if (classic) {
            return told;
        }
        told.put("submit_args", submitArguments);
        put(told, isArray() ? "job_array_request" : "job_array_id", task);
        if (started != null) {
            told.put("start_time", started);
        }
        if (state == 'R') {
            told.put("Walltime.Remaining", "3587");
        }
        if (starts > 0) {
            told.put("start_count", Integer.toString(starts));
        }
        told.put("fault_tolerant", "False");
        if (ended != null && state == 'C') {
            told.put("comp_time", ended);
        }
        told.put("job_radix", "0");
        if (ended != null && state == 'C' && started != null) {
            told.put("total_runtime", "0.126164");
        }
        told.put("submit_host", host);
        told.put("init_work_dir", directory);
        told.put("request_version", "1");
        return told;
    }

    private static void put(final Map<String, Object> told, final String name, final String value) {
        if (!value.isEmpty()) {
            told.put(name, value);
        }
    }
}
