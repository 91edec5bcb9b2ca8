package io.millrace.agent.torque;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.torque.query.NodeSpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Executes one command of a user. Messages and exit codes are those recorded from WorkloadManager 6, or those of OpenPBS 2.3. */
final class FakeTorqueCommands {

    private static final String MASTER = "6.1.2";

    private final FakeTorqueServer server;
    private final Account actor;
    private final String directory;
    private final ZoneId zone;

    FakeTorqueCommands(final FakeTorqueServer server, final Account actor, final String directory, final ZoneId zone) {
        this.server = server;
        this.actor = actor;
        this.directory = directory;
        this.zone = zone;
    }

    /** An error with its recorded exit code. */
    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int exit;

        Refusal(final int exit, final String message) {
            super(message);
            this.exit = exit;
        }
    }

    CommandResult answer(final List<String> argv, final String input) {
        final String program = argv.get(0);
        final List<String> words = argv.subList(1, argv.size());
        try {
            return CommandResult.of(
                    0,
                    switch (program) {
                        case "qstat" ->
                            words.contains("-B") ? serverText() : words.contains("-Q") ? queues() : qstat(words);
                        case "pbsnodes" -> nodes(words);
                        case "qsub" -> new FakeTorqueQsub(server, actor, directory).of(words, input);
                        case "qhold", "qrls" -> held(program, words);
                        case "qalter" -> alter(words);
                        case "qrun" -> run(words);
                        case "qmove" -> move(words);
                        case "qrerun" -> rerun(words);
                        case "qsig" -> signal(words);
                        case "qdel" -> delete(words);
                        case "qmgr" -> manage(words);
                        default -> throw new Refusal(1, program + ": no such record\n");
                    },
                    "");
        } catch (final Refusal no) {
            return CommandResult.of(no.exit, "", no.getMessage());
        } catch (final FakeTorqueQsub.Refused no) {
            return CommandResult.of(no.exit, "", no.getMessage() + "\n");
        } catch (final Partly some) {
            return CommandResult.of(some.exit, some.output, some.getMessage());
        }
    }

    /** Only some of the requested jobs exist. */
    private static final class Partly extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int exit;
        private final String output;

        Partly(final int exit, final String output, final String message) {
            super(message);
            this.exit = exit;
            this.output = output;
        }
    }

    private String qstat(final List<String> words) {
        final boolean xml = words.contains("-x");
        final boolean tasks = words.contains("-t");
        if (server.classic && (xml || tasks)) {
            throw new Refusal(
                    2,
                    "qstat: illegal option -- " + (xml ? "x" : "t")
                            + "\nusage: qstat [-f] [-W site_specific] [ job_identifier... | destination... ]\n");
        }
        final List<String> ids =
                words.stream().filter(word -> !word.startsWith("-")).toList();
        final List<FakeTorqueJob> shown = new ArrayList<>();
        final StringBuilder unknown = new StringBuilder();
        if (ids.isEmpty()) {
            server.jobs.values().stream()
                    .filter(job -> job.id.contains("[") ? tasks != job.isArray() : true)
                    .forEach(shown::add);
        }
        for (final String id : ids) {
            final FakeTorqueJob job = server.jobs.get(qualified(id));
            if (job == null) {
                unknown.append("qstat: Unknown Job Id Error ")
                        .append(qualified(id))
                        .append('\n');
            } else {
                shown.add(job);
            }
        }
        if (!xml && !words.contains("-f") && !words.isEmpty() && ids.isEmpty()) {
            return "Job ID                    Name             User            Time Use S Queue\n";
        }
        final StringBuilder text = new StringBuilder();
        for (final FakeTorqueJob job : shown) {
            final boolean mine =
                    server.mayManage(actor) || job.owner.equals(actor.name().value());
            final Map<String, Object> attributes = job.attributes(server.classic, mine, FakeTorqueServer.HOST);
            text.append(
                    xml
                            ? FakeTorqueOutput.xml("Job", "Job_Id", job.id, attributes)
                            : FakeTorqueOutput.plain("Job Id: " + job.id, attributes, 4, zone));
        }
        final String output =
                xml && !shown.isEmpty() ? "<?xml version=\"1.0\"?>\n<Data>" + text + "</Data>\n" : text.toString();
        if (!unknown.isEmpty()) {
            throw new Partly(153, output, unknown.toString());
        }
        return output;
    }

    private static String qualified(final String id) {
        return id.contains(".") ? id : id + "." + FakeTorqueServer.HOST;
    }

    private String serverText() {
        final Map<String, Object> attributes = new LinkedHashMap<>();
        attributes.put("server_state", "Active");
        attributes.put("scheduling", server.scheduling ? "True" : "False");
        attributes.put("total_jobs", Integer.toString(server.jobs.size()));
        attributes.put("acl_hosts", FakeTorqueServer.HOST);
        attributes.put("managers", "root@" + FakeTorqueServer.HOST);
        attributes.put("default_queue", "batch");
        attributes.put("log_events", "2047");
        attributes.put("query_other_jobs", "True");
        attributes.put("scheduler_iteration", "10");
        attributes.put("pbs_version", server.classic ? "OpenPBS_2.3" : MASTER);
        if (!server.classic) {
            attributes.put("keep_completed", "300");
            attributes.put("next_job_number", "24");
        }
        return FakeTorqueOutput.plain("Server: " + FakeTorqueServer.HOST, attributes, 4, zone);
    }

    private static String queues() {
        final Map<String, Object> batch = new LinkedHashMap<>();
        batch.put("queue_type", "Execution");
        batch.put("total_jobs", "20");
        batch.put("state_count", "Transit:0 Queued:0 Held:6 Waiting:1 Running:10 Exiting:0 Complete:3 ");
        batch.put("mtime", "1795181462");
        batch.put("enabled", "True");
        batch.put("started", "True");
        final Map<String, Object> small = new LinkedHashMap<>(batch);
        small.put("resources_max.walltime", "00:30:00");
        return FakeTorqueOutput.plain("Queue: batch", batch, 4, ZoneId.of("UTC"))
                + FakeTorqueOutput.plain("Queue: short", small, 4, ZoneId.of("UTC"));
    }

    private String nodes(final List<String> words) {
        final boolean xml = words.contains("-x");
        final StringBuilder text = new StringBuilder();
        server.nodes.forEach((host, np) -> {
            final Map<String, Object> attributes = new LinkedHashMap<>();
            final int free = server.free().get(host);
            attributes.put("state", free == 0 ? "job-exclusive" : "free");
            if (!server.classic) {
                attributes.put("power_state", "Running");
            }
            attributes.put("np", np.toString());
            attributes.put("ntype", "cluster");
            final String jobs = jobsOn(host);
            if (!jobs.isEmpty()) {
                attributes.put("jobs", jobs);
            }
            if (!server.classic) {
                attributes.put(
                        "status",
                        "opsys=linux,uname=Linux vm 6.18.44 #1 SMP PREEMPT_DYNAMIC @0"
                                + " x86_64,nsessions=19,totmem=24684096kb,physmem=24684096kb,ncpus=2,state=free,varattr="
                                + " ,version=" + MASTER + ",jobs=");
                attributes.put("mom_service_port", "15002");
            }
            text.append(
                    xml
                            ? FakeTorqueOutput.xml("Node", "name", host, attributes)
                            : FakeTorqueOutput.plain(host, attributes, 5, zone).replace("\n\t", ""));
        });
        return xml ? "<Data>" + text + "</Data>\n" : text.toString();
    }

    private String jobsOn(final String host) {
        final List<String> jobs = new ArrayList<>();
        int slot = 0;
        for (final FakeTorqueJob job : server.jobs.values()) {
            final int cores = "RSE".indexOf(job.state) >= 0 ? job.slots.getOrDefault(host, 0) : 0;
            if (server.classic) {
                for (int one = 0; one < cores; one++) {
                    jobs.add(slot++ + "/" + job.id);
                }
            } else if (cores > 0) {
                jobs.add((cores == 1 ? "" + slot : slot + "-" + (slot + cores - 1)) + "/" + job.id);
                slot += cores;
            }
        }
        return String.join(server.classic ? ", " : ",", jobs);
    }

    private FakeTorqueJob job(final String program, final String id) {
        final FakeTorqueJob job = server.jobs.get(qualified(id));
        if (job == null) {
            throw program.equals("qdel") && !server.classic
                    ? new Refusal(153, "qdel: nonexistent job id: " + id + "\n")
                    : new Refusal(
                            program.equals("qrun") ? 2 : 153, program + ": Unknown Job Id " + qualified(id) + "\n");
        }
        return job;
    }

    private void mustManage(final String program, final String more, final String id) {
        if (!server.mayManage(actor)) {
            throw new Refusal(
                    program.equals("qrun") ? 2 : 159,
                    program + ": Unauthorized Request  " + more + qualified(id) + "\n");
        }
    }

    private void mustOwn(final String program, final FakeTorqueJob job) {
        if (!server.mayManage(actor) && !job.owner.equals(actor.name().value())) {
            throw new Refusal(159, program + ": Unauthorized Request  MSG=operation not permitted " + job.id + "\n");
        }
    }

    private Refusal badState(final String program, final String more, final FakeTorqueJob job) {
        return new Refusal(
                program.equals("qrun") ? 2 : server.classic ? 168 : 170,
                program + ": Request invalid for state of job " + more + job.id + "\n");
    }

    private String held(final String program, final List<String> words) {
        final Map<String, String> options = options(words, "h");
        final String letters = options.getOrDefault("h", "u");
        for (final String id : operands(words, "h")) {
            final FakeTorqueJob job = job(program, id);
            if (!letters.equals("u")) {
                mustManage(program, "", job.id);
            }
            mustOwn(program, job);
            if (program.equals("qrls")) {
                job.holds = job.holds.replaceAll("[" + letters + "]", "");
            } else if (job.state == 'R' && job.checkpoint.contains("enabled")) {
                if (!job.checkpoint.contains("broken")) {
                    job.holds = job.holds.replace(letters, "") + letters;
                    job.then = "saved";
                    server.end(job);
                }
            } else {
                job.holds = job.holds.replace(letters, "") + letters;
            }
            settle(job);
        }
        return "";
    }

    private static void settle(final FakeTorqueJob job) {
        if (job.waits()) {
            job.state = !job.holds.isEmpty() ? 'H' : job.waitsUntil != null ? 'W' : 'Q';
            job.changed = Instant.now();
        }
    }

    private String alter(final List<String> words) {
        final Map<String, String> options = options(words, "hWlN");
        for (final String id : operands(words, "hWlN")) {
            final FakeTorqueJob job = job("qalter", id);
            mustOwn("qalter", job);
            if (job.state == 'C') {
                throw badState("qalter", "MSG=cannot modify job in COMPLETE state ", job);
            }
            if (options.containsKey("h")) {
                mustManage("qalter", "", job.id);
                job.holds = options.get("h").replace("n", "");
                settle(job);
            }
            if (options.getOrDefault("W", "").startsWith("comment=")) {
                mustManage("qalter", "", job.id);
                final String comment = options.get("W").substring("comment=".length());
                if (comment.matches("[^\"]*[\\s,=].*")) {
                    throw new Refusal(2, "qalter: illegal -W value\n");
                }
                job.comment = comment.replace("\"", "");
            }
            if (options.containsKey("N")) {
                job.name = options.get("N");
            }
            if (options.containsKey("l")) {
                final String[] pair = options.get("l").split("=", 2);
                job.resources.put(pair[0], pair[1]);
            }
        }
        return "";
    }

    private String run(final List<String> words) {
        final FakeTorqueJob job = job("qrun", operands(words, "H").get(0));
        mustManage("qrun", "MSG=operation not permitted ", job.id);
        if (job.state != 'Q') {
            throw badState("qrun", "MSG=job " + job.id + " state " + stateName(job) + " ", job);
        }
        final Map<String, Integer> slots = new TreeMap<>();
        NodeSpec.read(options(words, "H").getOrDefault("H", ""))
                .parts()
                .forEach(part -> slots.merge(part.properties().get(0), part.ppn(), Integer::sum));
        if (!server.start(job, slots)) {
            throw new Refusal(
                    2,
                    "qrun: Resource temporarily unavailable MSG=job allocation request exceeds currently available"
                            + " cluster nodes, 1 requested, 0 available " + job.id + "\n");
        }
        return "";
    }

    /** The holds of a job stay. */
    private String move(final List<String> words) {
        final FakeTorqueJob job = job("qmove", words.get(1));
        mustOwn("qmove", job);
        if (!List.of("batch", "short").contains(words.get(0))) {
            throw new Refusal(server.classic ? 170 : 172, "qmove: Unknown queue " + job.id + "\n");
        }
        if (!job.waits()) {
            throw badState("qmove", "", job);
        }
        job.queue = words.get(0);
        job.changed = Instant.now();
        return "";
    }

    private static String stateName(final FakeTorqueJob job) {
        return switch (job.state) {
            case 'H' -> "HELD";
            case 'W' -> "WAITING";
            case 'R' -> "RUNNING";
            case 'C' -> "COMPLETE";
            default -> "QUEUED";
        };
    }

    private String rerun(final List<String> words) {
        final FakeTorqueJob job = job("qrerun", words.get(0));
        mustManage("qrerun", "MSG=additional permissions required (ATR_DFLAG_MGWR | ATR_DFLAG_OPWR) ", job.id);
        if (!job.rerunable) {
            throw new Refusal(
                    192, "qrerun: job is not rerunnable MSG=job " + job.id + " not rerunnable " + job.id + "\n");
        }
        if (job.state == 'R' || job.state == 'S') {
            job.then = "again";
            job.state = 'E';
            job.running.signal("KILL");
        }
        return "";
    }

    private String signal(final List<String> words) {
        final String name = options(words, "s").getOrDefault("s", "SIGTERM");
        final FakeTorqueJob job = job("qsig", operands(words, "s").get(0));
        if (name.equals("suspend") || name.equals("resume")) {
            mustManage("qsig", "MSG=operation not permitted ", job.id);
        }
        mustOwn("qsig", job);
        if (job.state != 'R' && job.state != 'S') {
            throw badState("qsig", "", job);
        }
        if (name.equals("suspend")) {
            // pbs_mom sends SIGTSTP, and SIGSTOP five seconds later.
            job.running.signal("TSTP");
            FakeTorqueSession.pause(Duration.ofMillis(500));
            job.running.signal("STOP");
            job.state = 'S';
        } else if (name.equals("resume")) {
            job.running.signal("CONT");
            job.state = 'R';
        } else if (name.replaceFirst("^SIG", "").matches("HUP|INT|USR1|USR2|TERM|KILL|URG|CONT|STOP")) {
            job.running.signal(name.replaceFirst("^SIG", ""));
        } else {
            throw new Refusal(167, "qsig: Unknown/illegal signal name " + job.id + "\n");
        }
        return "";
    }

    private String delete(final List<String> words) {
        for (final String id : words) {
            meant(job("qdel", id)).forEach(this::delete);
        }
        return "";
    }

    private void delete(final FakeTorqueJob job) {
        mustOwn("qdel", job);
        if (job.state == 'C' || job.state == 'E') {
            throw badState("qdel", "MSG=invalid state for job - " + stateName(job) + " ", job);
        }
        server.record(job, 'D', "requestor=" + actor.name() + "@" + FakeTorqueServer.HOST);
        if (job.running != null) {
            job.state = 'E';
            server.end(job);
        } else {
            server.complete(job);
        }
    }

    /** The remaining tasks of an array. */
    private List<FakeTorqueJob> meant(final FakeTorqueJob job) {
        return job.isArray()
                ? server.jobs.values().stream()
                        .filter(one -> !one.isArray() && one.state != 'C')
                        .filter(one -> one.id.replaceAll("\\[.*?]", "[]").equals(job.id))
                        .toList()
                : List.of(job);
    }

    private String manage(final List<String> words) {
        if (!server.mayManage(actor)) {
            throw new Refusal(
                    2, "qmgr obj= svr=default: Unauthorized Request  MSG=error in permissions (PERM_OPorMGR)\n");
        }
        server.scheduling = words.get(1).replace(" ", "").endsWith("scheduling=True");
        return "";
    }

    /** Options with a value, by letter. Repeated options such as -l are joined. */
    static Map<String, String> options(final List<String> words, final String letters) {
        final Map<String, String> options = new HashMap<>();
        for (int at = 0; at < words.size(); at++) {
            if (isOption(words.get(at), letters) && at + 1 < words.size()) {
                options.merge(words.get(at).substring(1), words.get(++at), (one, more) -> one + "," + more);
            }
        }
        return options;
    }

    static List<String> operands(final List<String> words, final String letters) {
        final List<String> operands = new ArrayList<>();
        for (int at = 0; at < words.size(); at++) {
            if (isOption(words.get(at), letters)) {
                at++;
            } else if (!words.get(at).startsWith("-")) {
                operands.add(words.get(at));
            }
        }
        return operands;
    }

    private static boolean isOption(final String word, final String letters) {
        return word.length() == 2 && word.charAt(0) == '-' && letters.indexOf(word.charAt(1)) >= 0;
    }
}
