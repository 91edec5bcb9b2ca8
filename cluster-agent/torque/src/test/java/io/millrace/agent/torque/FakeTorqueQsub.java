package io.millrace.agent.torque;

import io.millrace.agent.exec.Account;
import io.millrace.agent.torque.query.NodeSpec;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The {@code qsub} of the fake. */
final class FakeTorqueQsub {

    private final FakeTorqueServer server;
    private final Account actor;
    private final String directory;

    FakeTorqueQsub(final FakeTorqueServer server, final Account actor, final String directory) {
        this.server = server;
        this.actor = actor;
        this.directory = directory;
    }

    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int exit;

        Refused(final int exit, final String message) {
            super(message);
            this.exit = exit;
        }
    }

    /** Prints the job's id. */
    String of(final List<String> words, final String script) {
        final Map<String, String> options = FakeTorqueCommands.options(words, "NrmSjolvqAct");
        final String name = options.getOrDefault("N", "STDIN");
        if (!name.matches("[!-~]+") || (server.classic && name.length() > 15)) {
            throw new Refused(2, "qsub: illegal -N value");
        }
        final String queue = options.getOrDefault("q", "batch");
        if (!queue.equals("batch") && !queue.equals("short")) {
            throw new Refused(
                    server.classic ? 170 : 172, "qsub: submit error (Unknown queue MSG=requested queue not found)");
        }
        final Map<String, String> resources = resources(options.getOrDefault("l", ""));
        final NodeSpec spec = NodeSpec.read(resources.getOrDefault("nodes", "1"));
        if (spec.nodes() > server.nodes.size() || spec.cores() > 4) {
            throw new Refused(
                    190,
                    "qsub: submit error (Job exceeds queue resource limits MSG=cannot locate feasible nodes (nodes file is"
                            + " empty, all systems are busy, or no nodes have the requested feature))");
        }
        if (server.classic && options.containsKey("t")) {
            throw new Refused(2, "qsub: illegal option -- t");
        }
        final FakeTorqueJob job = server.enter(actor, directory, script);
        fill(job, words, options, resources);
        final String id = options.containsKey("t") ? array(job, options.get("t"), words, options, resources) : job.id;
        if (!options.containsKey("t")) {
            server.queued(job);
        }
        return id + "\n";
    }

    private void fill(
            final FakeTorqueJob job,
            final List<String> words,
            final Map<String, String> options,
            final Map<String, String> resources) {
        job.name = options.getOrDefault("N", "STDIN");
        job.queue = options.getOrDefault("q", "batch");
        job.account = options.getOrDefault("A", "");
        job.rerunable = !options.getOrDefault("r", "y").equals("n");
        job.checkpoint = options.getOrDefault("c", "u");
        job.join = options.getOrDefault("j", "n");
        job.output = options.getOrDefault("o", "");
        job.submitArguments = String.join(" ", words);
        job.resources.putAll(resources);
        job.resources.put(
                "nodect",
                Integer.toString(
                        NodeSpec.read(resources.getOrDefault("nodes", "1")).nodes()));
        job.variables.putAll(Map.of(
                "PBS_O_QUEUE",
                "batch",
                "PBS_O_HOME",
                actor.home(),
                "PBS_O_LOGNAME",
                actor.name().value(),
                "PBS_O_WORKDIR",
                directory,
                "PBS_O_HOST",
                FakeTorqueServer.HOST));
        for (final String pair : options.getOrDefault("v", "").split(",")) {
            if (pair.indexOf('=') > 0) {
                job.variables.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
            }
        }
        job.interactive = words.contains("-I");
        if (words.contains("-h")) {
            job.holds = "u";
            job.state = 'H';
        }
    }

    private static Map<String, String> resources(final String list) {
        final Map<String, String> resources = new LinkedHashMap<>();
        resources.put("walltime", "01:00:00");
        resources.put("nodes", "1");
        for (final String pair : list.split(",")) {
            final int equals = pair.indexOf('=');
            if (equals > 0) {
                if (!List.of("nodes", "walltime", "mem", "pmem", "procs", "cput")
                        .contains(pair.substring(0, equals))) {
                    throw new Refused(
                            189,
                            "qsub: submit error (Unknown resource type  Resource_List." + pair.substring(0, equals)
                                    + ")");
                }
                resources.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return resources;
    }

    /** Creates a job for the array and one for each task. */
    private String array(
            final FakeTorqueJob first,
            final String indices,
            final List<String> words,
            final Map<String, String> options,
            final Map<String, String> resources) {
        server.jobs.remove(first.id);
        final String number = first.id.substring(0, first.id.indexOf('.'));
        final FakeTorqueJob whole = part(first, number + "[]", indices, words, options, resources);
        whole.state = first.state;
        for (final String range : indices.replaceAll("%.*", "").split(",")) {
            final String[] ends = range.split("-");
            for (int index = Integer.parseInt(ends[0]); index <= Integer.parseInt(ends[ends.length - 1]); index++) {
                final FakeTorqueJob task =
                        part(first, number + "[" + index + "]", Integer.toString(index), words, options, resources);
                task.name = task.name + "-" + index;
                server.queued(task);
            }
        }
        return whole.id;
    }

    private FakeTorqueJob part(
            final FakeTorqueJob first,
            final String id,
            final String task,
            final List<String> words,
            final Map<String, String> options,
            final Map<String, String> resources) {
        final FakeTorqueJob part = new FakeTorqueJob(
                id + "." + FakeTorqueServer.HOST, first.owner, first.directory, first.script, first.created);
        fill(part, words, options, resources);
        part.task = task;
        server.jobs.put(part.id, part);
        return part;
    }
}
