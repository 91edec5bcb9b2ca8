package io.millrace.agent.pbspro;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.UserSwitch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server, the scheduler and the nodes of the fake. Jobs are processes of this host, each in a separate session. */
final class FakePbsServer implements AutoCloseable {

    static final String NAME = "vm";
    private static final DateTimeFormatter RECORD = DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss");

    final Map<String, Integer> nodes = new LinkedHashMap<>(Map.of("vm", 2));
    final Map<String, FakePbsJob> jobs = new LinkedHashMap<>();
    final Map<String, Integer> softLimits = new TreeMap<>();
    final Path home;
    boolean scheduling;
    boolean savesJobs = true;
    boolean hasResource;
    /** As with a hook of the site. */
    boolean refusesComments;

    String preemptPrio = "express_queue, normal_jobs, server_softlimits";
    String preemptOrder = "R";
    private final Accounts accounts;
    private final ScheduledExecutorService clockwork = java.util.concurrent.Executors.newSingleThreadScheduledExecutor(
            Thread.ofVirtual().factory());
    private long next = 1000;

    FakePbsServer(final Path home, final Accounts accounts) throws IOException {
        nodes.put("vm2", 2);
        this.home = home;
        this.accounts = accounts;
        Files.createDirectories(home.resolve("accounting"));
        Files.createDirectories(home.resolve("spool"));
        clockwork.scheduleWithFixedDelay(this::tick, 100, 100, TimeUnit.MILLISECONDS);
    }

    long nextNumber() {
        return next++;
    }

    private synchronized void tick() {
        final Instant now = Instant.now();
        for (final FakePbsJob job : List.copyOf(jobs.values())) {
            if (job.letter.equals("R") && job.substate == 41 && since(job, now).toMillis() > 200) {
                job.substate = 42;
            }
            if (job.letter.equals("R") && since(job, now).compareTo(walltime(job)) > 0 && !job.late) {
                job.late = true;
                kill(job, "TERM");
                clockwork.schedule(() -> kill(job, "KILL"), 500, TimeUnit.MILLISECONDS);
            }
            if (scheduling && job.letter.equals("Q") && !job.isArray()) {
                start(job);
            }
        }
    }

    private static Duration since(final FakePbsJob job, final Instant now) {
        return job.started == null ? Duration.ZERO : Duration.between(job.started, now);
    }

    private static Duration walltime(final FakePbsJob job) {
        final Duration limit = io.millrace.agent.pbs.PbsDuration.read(job.resources.get("walltime"));
        return limit == null ? Duration.ofDays(1000) : limit;
    }

    int free(final String node) {
        return nodes.getOrDefault(node, 0)
                - jobs.values().stream()
                        .filter(job -> job.letter.equals("R") || job.letter.equals("E"))
                        .mapToInt(job -> job.placed.getOrDefault(node, 0))
                        .sum();
    }

    /** The nodes for the job's chunks; null if they do not fit now. */
    private @Nullable Map<String, Integer> place(final FakePbsJob job) {
        final Map<String, Integer> placed = new LinkedHashMap<>();
        for (final int cores : job.chunks()) {
            final String node = nodes.keySet().stream()
                    .filter(name -> free(name) - placed.getOrDefault(name, 0) >= cores)
                    .findFirst()
                    .orElse(null);
            if (node == null) {
                return null;
            }
            placed.merge(node, cores, Integer::sum);
        }
        return placed;
    }

    /** Returns false if the job does not fit. */
    boolean start(final FakePbsJob job) {
        final Map<String, Integer> placed = place(job);
        if (placed == null) {
            return false;
        }
        job.placed = placed;
        job.letter = "R";
        job.substate = 41;
        job.runs += job.saved ? 0 : 1;
        job.saved = false;
        job.requeued = false;
        job.exit = null;
        job.started = Instant.now();
        job.comment = "Job run at " + job.started + " on " + placed;
        record(job, 'S', "");
        try {
            job.process = launch(job);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        final Process running = job.process;
        running.onExit().thenAccept(process -> ended(job, process));
        return true;
    }

    private Process launch(final FakePbsJob job) throws IOException {
        final Account owner = accounts.named(job.owner).orElseThrow();
        final Path nodefile = home.resolve("spool").resolve(job.id() + ".nodes");
        Files.writeString(nodefile, String.join("\n", job.placed.keySet()) + "\n");
        final List<String> argv = new ArrayList<>(UserSwitch.prefix(accounts.own(), owner));
        argv.addAll(List.of("setsid", "env", "-i"));
        final Map<String, String> variables = new LinkedHashMap<>(job.variables);
        variables.putAll(Map.of(
                "PBS_JOBID", job.id(),
                "PBS_JOBNAME", job.name,
                "PBS_QUEUE", job.queue,
                "PBS_NODEFILE", nodefile.toString(),
                "PBS_ENVIRONMENT", "PBS_BATCH",
                "HOME", owner.home(),
                "USER", owner.name().value(),
                "LOGNAME", owner.name().value(),
                "SHELL", owner.shell(),
                "PATH", "/usr/bin:/bin"));
        variables.put("LC_ALL", "C.UTF-8");
        variables.forEach((name, value) -> argv.add(name + "=" + value));
        // A script is run by the login shell from its path. A program replaces the shell.
        argv.addAll(job.script == null ? job.program : List.of("/bin/bash"));
        final ProcessBuilder builder = new ProcessBuilder(argv)
                .directory(new java.io.File("/"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        if (job.script == null) {
            builder.redirectInput(new java.io.File("/dev/null"));
        }
        final Process process = builder.start();
        if (job.script != null) {
            try (var stdin = process.getOutputStream()) {
                stdin.write((job.script + "\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
        }
        return process;
    }

    private synchronized void ended(final FakePbsJob job, final Process process) {
        if (job.process != process) {
            return;
        }
        kill(job, "KILL"); // processes that the script left in its session
        job.process = null;
        final Instant now = Instant.now();
        final int code = process.exitValue();
        job.obit = now;
        if (job.saving) {
            job.saving = false;
            job.saved = true;
            job.exit = -12;
            job.letter = "H";
            job.substate = 60;
            record(job, 'C', "");
        } else if (job.requeued) {
            record(job, 'R', end(job, -11));
            job.exit = null;
            job.placed = Map.of();
            job.letter = "Q";
            job.held(job.holds);
            if (job.array != null && job.array.waiting != null) {
                job.array.waiting.add(Integer.parseInt(job.brackets.replaceAll("[\\[\\]]", "")));
            }
        } else {
            job.exit = job.late ? -29 : code > 128 ? 256 + code - 128 : code;
            finish(job, job.deleted ? 91 : job.exit == 0 ? 92 : 93);
            record(job, 'E', end(job, job.exit));
        }
    }

    private static String end(final FakePbsJob job, final int status) {
        return " session=1 end=" + Instant.now().getEpochSecond() + " Exit_status=" + status
                + " resources_used.walltime=00:00:00 run_count=" + job.runs;
    }

    void finish(final FakePbsJob job, final int substate) {
        job.letter = job.array == null ? "F" : "X";
        job.substate = substate;
        job.finished = Instant.now();
        if (job.comment != null) {
            job.comment += substate == 92 ? " and finished" : substate == 93 ? " and failed" : " and terminated";
        }
    }

    /** Ends the job's processes and records the end before it returns, like the real server. */
    void endNow(final FakePbsJob job) {
        final Process process = java.util.Objects.requireNonNull(job.process);
        try {
            do {
                kill(job, "KILL"); // a job that just started may not have a session yet
            } while (!process.waitFor(100, TimeUnit.MILLISECONDS));
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        ended(job, process);
    }

    /** Signals every process of the job's session. */
    void kill(final FakePbsJob job, final String signal) {
        final Process process = job.process;
        if (process == null) {
            return;
        }
        final List<String> argv = new ArrayList<>(List.of("kill", "-s", signal, "--"));
        session(process.pid()).forEach(pid -> argv.add(Long.toString(pid)));
        if (argv.size() == 4) {
            return;
        }
        try {
            new ProcessBuilder(argv)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reads field 6 of {@code /proc/PID/stat}, counted after the name in parentheses. */
    private static List<Long> session(final long leader) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> {
                    try {
                        final String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
                        return stat.substring(stat.lastIndexOf(')') + 2)
                                .split(" ")[3]
                                .equals(Long.toString(leader));
                    } catch (final IOException e) {
                        return false; // the process has ended
                    }
                })
                .toList();
    }

    void record(final FakePbsJob job, final char type, final String more) {
        final StringBuilder words = new StringBuilder("user=" + job.owner + " group=users");
        if (job.account != null) {
            words.append(" account=\"").append(job.account).append('"');
        }
        words.append(" project=")
                .append(job.project == null ? "_pbs_project_default" : job.project)
                .append(" jobname=")
                .append(job.name)
                .append(" queue=")
                .append(job.queue)
                .append(" ctime=")
                .append(job.created.getEpochSecond())
                .append(" qtime=")
                .append(job.created.getEpochSecond())
                .append(" etime=")
                .append(job.created.getEpochSecond());
        if (job.started != null) {
            words.append(" start=").append(job.started.getEpochSecond());
        }
        job.resources.forEach((name, value) ->
                words.append(" Resource_List.").append(name).append('=').append(value));
        line(type, job.id(), words + more);
    }

    void line(final char type, final String id, final String words) {
        final Instant now = Instant.now();
        final Path file = home.resolve("accounting")
                .resolve(DateTimeFormatter.BASIC_ISO_DATE.format(
                        now.atZone(ZoneOffset.UTC).toLocalDate()));
        try {
            Files.writeString(
                    file,
                    RECORD.format(now.atZone(ZoneOffset.UTC)) + ";" + type + ";" + id + ";" + words + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        clockwork.shutdownNow();
        jobs.values().forEach(job -> kill(job, "KILL"));
    }
}
