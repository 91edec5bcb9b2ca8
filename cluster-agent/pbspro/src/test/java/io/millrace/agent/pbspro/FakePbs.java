package io.millrace.agent.pbspro;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Fakes the commands of OpenPBS 23.06.06: prints the recorded messages with their exit codes, and runs the jobs. The agent is a
 * manager; any other user is an ordinary user. Other programs (grep, install…) are executed.
 */
final class FakePbs implements Runner {

    final FakePbsServer server;
    private final Accounts accounts;
    private final Runner real;
    private final UserName user;
    private final boolean operator;
    final AtomicReference<@Nullable List<String>> lastSubmission;
    /** Results to return instead of the normal ones, by program. */
    final Map<String, CommandResult> failures;

    FakePbs(final Path home, final Accounts accounts) throws IOException {
        this(
                new FakePbsServer(home, accounts),
                accounts,
                new ProcessRunner(accounts),
                accounts.own().name(),
                true,
                new AtomicReference<>(),
                new java.util.concurrent.ConcurrentHashMap<>());
    }

    private FakePbs(
            final FakePbsServer server,
            final Accounts accounts,
            final Runner real,
            final UserName user,
            final boolean operator,
            final AtomicReference<@Nullable List<String>> lastSubmission,
            final Map<String, CommandResult> failures) {
        this.server = server;
        this.accounts = accounts;
        this.real = real;
        this.user = user;
        this.operator = operator;
        this.lastSubmission = lastSubmission;
        this.failures = failures;
    }

    @Override
    public Runner as(final UserName owner) {
        return user(owner);
    }

    FakePbs user(final UserName owner) {
        return new FakePbs(server, accounts, real.as(owner), owner, false, lastSubmission, failures);
    }

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        final String program = command.argv().get(0);
        final CommandResult failure = failures.containsKey(program) ? failures.get(program) : null;
        if (failure != null) {
            return command.read(failure);
        }
        synchronized (server) {
            return switch (program) {
                case "qsub",
                        "qstat",
                        "qhold",
                        "qrls",
                        "qrun",
                        "qrerun",
                        "qsig",
                        "qdel",
                        "qalter",
                        "qmove",
                        "qmgr",
                        "pbsnodes" -> command.read(answer(command));
                case "tracejob" -> command.read(CommandResult.of(1, "", "tracejob: cannot open the logs"));
                default -> real.run(command);
            };
        }
    }

    private CommandResult answer(final CommandLine<?> command) {
        final List<String> argv = command.argv();
        final List<String> arguments = argv.subList(1, argv.size());
        return switch (argv.get(0)) {
            case "qsub" -> {
                lastSubmission.set(argv);
                yield new FakeQsub(server, user, operator).submit(command);
            }
            case "qstat" -> qstat(command, arguments);
            case "pbsnodes" -> ok(FakePbsOutput.document(Instant.now(), "nodes", nodes()));
            case "qmgr" -> new FakeQmgr(server, operator).answer(arguments.get(1));
            default -> new FakePbsCommands(server, user, operator).answer(argv.get(0), arguments);
        };
    }

    static CommandResult ok(final String output) {
        return CommandResult.of(0, output, "");
    }

    static CommandResult no(final int exit, final String error) {
        return CommandResult.of(exit, "", error + "\n");
    }

    private CommandResult qstat(final CommandLine<?> command, final List<String> arguments) {
        final Instant now = Instant.now();
        final FakePbsOutput text =
                new FakePbsOutput(ZoneId.of(command.environment().getOrDefault("TZ", "UTC")));
        if (arguments.contains("-B")) {
            return ok(FakePbsOutput.document(now, "Server", Map.of("vm", serverText())));
        }
        if (arguments.contains("-Q")) {
            return ok(FakePbsOutput.document(now, "Queue", queues()));
        }
        final boolean history = arguments.contains("-x");
        final boolean subjobs = arguments.contains("-t");
        final boolean json = arguments.contains("json");
        final List<String> ids = arguments.stream()
                .filter(word -> !word.startsWith("-") && !word.equals("json"))
                .toList();
        final Map<String, Object> shown = new LinkedHashMap<>();
        final StringBuilder errors = new StringBuilder();
        int exit = 0;
        for (final String id : ids) {
            final FakePbsJob job = FakePbsCommands.find(server, id);
            if (job == null) {
                exit = 153;
                errors.append("qstat: Unknown Job Id ").append(full(id)).append('\n');
            } else if (job.over() && !history) {
                exit = 35;
                errors.append("qstat: ")
                        .append(job.id())
                        .append(" Job has finished, use -x or -H to obtain historical job information\n");
            } else if (!json || shown.isEmpty()) { // in JSON only the first
                shown.put(job.id(), text.job(job));
            }
        }
        if (ids.isEmpty()) {
            for (final FakePbsJob job : server.jobs.values()) {
                if ((history || !job.over()) && (subjobs || job.array == null)) {
                    shown.put(job.id(), text.job(job));
                }
            }
        }
        return CommandResult.of(
                exit, json ? FakePbsOutput.document(now, "Jobs", shown) : FakePbsOutput.full(shown), errors.toString());
    }

    static String full(final String id) {
        return id.contains(".") ? id : id + ".vm";
    }

    private Map<String, Object> serverText() {
        final Map<String, Object> text = new LinkedHashMap<>();
        text.put("server_state", "Active");
        text.put("server_host", "vm");
        text.put("scheduling", server.scheduling ? "True" : "False");
        if (!server.softLimits.isEmpty()) {
            final List<String> limits = new ArrayList<>();
            server.softLimits.forEach((name, cores) -> limits.add("[u:" + name + "=" + cores + "]"));
            text.put("max_run_res_soft", Map.of("ncpus", limits));
        }
        text.put("total_jobs", (long) server.jobs.size());
        text.put(
                "state_count",
                "Transit:0 Queued:" + count("Q") + " Held:" + count("H") + " Waiting:0 Running:" + count("R")
                        + " Exiting:0 Begun:" + count("B") + " ");
        text.put("default_queue", "workq");
        text.put("managers", accounts.own().name() + "@vm");
        text.put("query_other_jobs", "True");
        text.put("job_history_enable", "True");
        text.put("pbs_version", "23.06.06");
        return text;
    }

    private long count(final String letter) {
        return server.jobs.values().stream()
                .filter(job -> job.letter.equals(letter) && job.array == null)
                .count();
    }

    private static Map<String, Object> queues() {
        final Map<String, Object> queues = new LinkedHashMap<>();
        queues.put("workq", queue(Map.of()));
        queues.put("short", queue(Map.of("resources_max", Map.of("walltime", "00:30:00"))));
        return queues;
    }

    private static Map<String, Object> queue(final Map<String, Object> more) {
        final Map<String, Object> text = new LinkedHashMap<>();
        text.put("queue_type", "Execution");
        text.put("total_jobs", 0L);
        text.put("state_count", "Transit:0 Queued:0 Held:0 Waiting:0 Running:0 Exiting:0 Begun:0 ");
        text.putAll(more);
        text.put("enabled", "True");
        text.put("started", "True");
        return text;
    }

    private Map<String, Object> nodes() {
        final Map<String, Object> nodes = new LinkedHashMap<>();
        server.nodes.forEach((name, cores) -> {
            final Map<String, Object> text = new LinkedHashMap<>();
            text.put("Mom", name);
            text.put("ntype", "PBS");
            text.put("state", server.free(name) > 0 ? "free" : "job-busy");
            text.put("pcpus", (long) cores);
            final List<String> jobs = server.jobs.values().stream()
                    .filter(job -> job.letter.equals("R") && job.placed.containsKey(name))
                    .map(FakePbsJob::id)
                    .toList();
            if (!jobs.isEmpty()) {
                text.put("jobs", jobs);
            }
            final Map<String, Object> available = new LinkedHashMap<>();
            available.put("arch", "linux");
            available.put("host", name);
            available.put("mem", "128gb");
            available.put("ncpus", (long) cores);
            available.put("vnode", name);
            text.put("resources_available", available);
            text.put("resources_assigned", Map.of("ncpus", (long) (cores - server.free(name))));
            text.put("resv_enable", "True");
            text.put("sharing", "default_shared");
            text.put("license", "l");
            text.put("last_state_change_time", 1795178690L);
            nodes.put(name, text);
        });
        return nodes;
    }

    /** Creates a spool file that the owner can read. */
    static Path spool(final FakePbsServer server, final String name, final byte[] text) {
        final Path file = server.home.resolve("spool").resolve(name);
        try {
            java.nio.file.Files.write(file, text);
            java.nio.file.Files.setPosixFilePermissions(
                    file, java.nio.file.attribute.PosixFilePermissions.fromString("rwxr-xr-x"));
            return file;
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String utf8(final byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
