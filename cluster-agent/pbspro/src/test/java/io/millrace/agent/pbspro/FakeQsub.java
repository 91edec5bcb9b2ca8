package io.millrace.agent.pbspro;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbspro.query.HoldMark;
import io.millrace.model.UserName;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The qsub of the fake. */
final class FakeQsub {

    private final FakePbsServer server;
    private final UserName user;
    private final boolean operator;

    FakeQsub(final FakePbsServer server, final UserName user, final boolean operator) {
        this.server = server;
        this.user = user;
        this.operator = operator;
    }

    CommandResult submit(final CommandLine<?> command) {
        if (operator && user.value().equals("root")) {
            return FakePbs.no(175, "qsub: Bad UID for job execution");
        }
        final List<String> words = command.argv().subList(1, command.argv().size());
        final Map<String, String> options = new LinkedHashMap<>();
        final Map<String, String> resources = new LinkedHashMap<>();
        List<String> program = List.of();
        for (int at = 0; at < words.size(); at++) {
            final String word = words.get(at);
            if (word.equals("--")) {
                program = words.subList(at + 1, words.size());
                break;
            }
            if (List.of("-h", "-I", "-V", "-z", "-f").contains(word)) {
                options.put(word, "");
            } else if (word.equals("-l")) {
                for (final String item : words.get(++at).split(",")) {
                    final String[] pair = item.split("=", 2);
                    resources.put(pair[0], pair[1]);
                }
            } else if (List.of(
                            "-N", "-q", "-P", "-A", "-J", "-r", "-c", "-j", "-o", "-e", "-v", "-m", "-M", "-W", "-S",
                            "-p", "-a", "-k")
                    .contains(word)) {
                options.put(word, words.get(++at));
            } else {
                return FakePbs.no(2, "qsub: invalid option -- '" + word + "'\nusage: qsub [-a date_time] …");
            }
        }
        if (!options.getOrDefault("-N", "STDIN").matches("[A-Za-z0-9][A-Za-z0-9_.+-]{0,229}")) {
            return FakePbs.no(2, "qsub: illegal -N value\nusage: qsub [-a date_time] [-A account_string] …");
        }
        final String queue = options.getOrDefault("-q", "workq");
        if (!List.of("workq", "short").contains(queue)) {
            return FakePbs.no(170, "qsub: Unknown queue");
        }
        for (final String name : resources.keySet()) {
            if (name.equals(HoldMark.RESOURCE) && server.hasResource) {
                return FakePbs.no(
                        155,
                        "qsub: Cannot set attribute, read only or insufficient permission  Resource_List.millrace");
            }
            if (!List.of("select", "place", "walltime", "ncpus", "mem", "ngpus").contains(name)) {
                return FakePbs.no(187, "qsub: Unknown resource Resource_List." + name);
            }
        }
        return FakePbs.ok(queued(command, options, resources, program, queue).id() + "\n");
    }

    private FakePbsJob queued(
            final CommandLine<?> command,
            final Map<String, String> options,
            final Map<String, String> resources,
            final List<String> program,
            final String queue) {
        final boolean array = options.containsKey("-J");
        final FakePbsJob job = new FakePbsJob(
                server.nextNumber(), array ? "[]" : "", user, Instant.now().truncatedTo(ChronoUnit.SECONDS));
        job.name = options.getOrDefault("-N", "STDIN");
        job.queue = queue;
        job.project = options.get("-P");
        job.account = options.get("-A");
        job.checkpoint = options.getOrDefault("-c", "u");
        job.rerunable = !options.getOrDefault("-r", "y").equals("n");
        job.interactive = options.containsKey("-I");
        job.submitArguments =
                String.join(" ", command.argv().subList(1, command.argv().size()));
        job.directory = command.directory() == null ? "/" : command.directory();
        job.resources.putAll(resources);
        job.resources.putIfAbsent("select", "1:ncpus=" + resources.getOrDefault("ncpus", "1"));
        job.resources.put(
                "ncpus", Integer.toString(job.chunks().stream().mapToInt(c -> c).sum()));
        job.resources.put("nodect", Integer.toString(job.chunks().size()));
        job.resources.putIfAbsent("place", "free");
        job.variables.put("PBS_O_LOGNAME", user.value());
        job.variables.put("PBS_O_WORKDIR", job.directory);
        job.variables.put("PBS_O_QUEUE", queue);
        job.variables.put("PBS_O_HOST", "vm");
        for (final String variable : options.getOrDefault("-v", "").split(",")) {
            final String[] pair = variable.split("=", 2);
            if (pair.length == 2) {
                job.variables.put(pair[0], pair[1]);
            }
        }
        if (program.isEmpty()) {
            job.script = FakePbs.spool(server, job.id() + ".SC", command.input());
        } else {
            job.program = program;
        }
        if (array) {
            indices(job, options.get("-J"));
        }
        job.held(options.containsKey("-h") ? "u" : "");
        server.jobs.put(job.id(), job);
        server.record(job, 'Q', "");
        return job;
    }

    private void indices(final FakePbsJob job, final String range) {
        final String[] ends = range.split("[-:]");
        job.indicesSubmitted = range;
        job.waiting = new TreeSet<>();
        for (int index = Integer.parseInt(ends[0]); index <= Integer.parseInt(ends[1]); index++) {
            job.waiting.add(index);
        }
    }
}
