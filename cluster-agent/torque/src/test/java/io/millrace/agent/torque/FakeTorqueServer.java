package io.millrace.agent.torque;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.PbsDuration;
import io.millrace.agent.torque.query.NodeSpec;
import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** The server of {@link FakeTorque}: two nodes of two slots, two queues, and a first-come scheduler that can be switched off. */
final class FakeTorqueServer implements AutoCloseable {

    static final String HOST = "vm";
    private static final DateTimeFormatter RECORD = DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss");

    final boolean classic;
    final Path folder;
    final Map<String, FakeTorqueJob> jobs = new LinkedHashMap<>();
    final Map<String, Integer> nodes = new TreeMap<>(Map.of("n1", 2, "n2", 2));
    private final Accounts accounts;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    boolean scheduling;
    boolean down;
    private int next = 1;

    FakeTorqueServer(final Path folder, final Accounts accounts, final boolean classic) {
        this.folder = folder;
        this.accounts = accounts;
        this.classic = classic;
        clock.scheduleWithFixedDelay(this::schedule, 200, 200, TimeUnit.MILLISECONDS);
    }

    /** The accounting log, one file per day. */
    Path accounting() {
        return folder.resolve("accounting");
    }

    synchronized CommandResult answer(
            final Account actor,
            final List<String> argv,
            final String input,
            final String directory,
            final ZoneId zone) {
        if (down) {
            final boolean nodes = argv.get(0).equals("pbsnodes");
            return CommandResult.of(
                    nodes ? 1 : 111,
                    "",
                    "\nUnable to communicate with vm(10.99.0.1)\nCannot connect to specified server host 'vm'.\n"
                            + argv.get(0) + ": cannot connect to server vm"
                            + (nodes ? ", error=111 (Connection refused)\n" : " (errno=111) Connection refused\n"));
        }
        return new FakeTorqueCommands(this, actor, directory, zone).answer(argv, input);
    }

    boolean mayManage(final Account actor) {
        return actor.uid() == accounts.own().uid();
    }

    FakeTorqueJob enter(final Account owner, final String directory, final String script) {
        final FakeTorqueJob job =
                new FakeTorqueJob(next++ + "." + HOST, owner.name().value(), directory, script, Instant.now());
        jobs.put(job.id, job);
        return job;
    }

    void queued(final FakeTorqueJob job) {
        record(job, 'Q', "queue=" + job.queue);
    }

    Map<String, Integer> free() {
        final Map<String, Integer> free = new TreeMap<>(nodes);
        for (final FakeTorqueJob job : jobs.values()) {
            if ("RSE".indexOf(job.state) >= 0) {
                job.slots.forEach((host, cores) -> free.merge(host, -cores, Integer::sum));
            }
        }
        return free;
    }

    /** Returns false if the hosts have too few free slots. */
    boolean start(final FakeTorqueJob job, final Map<String, Integer> slots) {
        final Map<String, Integer> free = free();
        if (slots.entrySet().stream().anyMatch(one -> free.getOrDefault(one.getKey(), 0) < one.getValue())) {
            return false;
        }
        final Account owner = accounts.named(UserName.of(job.owner)).orElseThrow();
        job.slots = new TreeMap<>(slots);
        job.state = 'R';
        job.starts++;
        job.then = "end";
        job.overWalltime = false;
        job.started = Instant.ofEpochSecond(Instant.now().getEpochSecond());
        job.changed = job.started;
        final int run = job.starts;
        job.running = new FakeTorqueSession(
                folder, job.script, accounts.own(), owner, environment(job, owner), status -> gone(job, run, status));
        job.session = job.running.leader;
        record(job, 'S', basics(job));
        final Duration limit = PbsDuration.read(job.resources.get("walltime"));
        if (limit != null) {
            clock.schedule(() -> overWalltime(job, run), limit.toMillis(), TimeUnit.MILLISECONDS);
        }
        return true;
    }

    private static Map<String, String> environment(final FakeTorqueJob job, final Account owner) {
        final Map<String, String> environment = new TreeMap<>(job.variables);
        environment.putAll(Map.of(
                "HOME",
                owner.home(),
                "USER",
                owner.name().value(),
                "LOGNAME",
                owner.name().value(),
                "SHELL",
                "/bin/bash",
                "PATH",
                "/usr/local/bin:/usr/bin:/bin",
                "LC_ALL",
                "C.UTF-8",
                "PBS_JOBID",
                job.id,
                "PBS_QUEUE",
                job.queue,
                "PBS_ENVIRONMENT",
                "PBS_BATCH"));
        return environment;
    }

    private synchronized void overWalltime(final FakeTorqueJob job, final int run) {
        final Duration limit = PbsDuration.read(job.resources.get("walltime"));
        if (job.starts == run && job.state == 'R' && limit != null) {
            final Duration left = Duration.between(Instant.now(), job.started.plus(limit));
            if (left.toMillis() > 0) { // changed since, or the start time was rounded down
                clock.schedule(() -> overWalltime(job, run), left.toMillis() + 50, TimeUnit.MILLISECONDS);
                return;
            }
            job.overWalltime = true;
            end(job);
        }
    }

    /** Sends SIGTERM, then SIGKILL after a delay. */
    void end(final FakeTorqueJob job) {
        final FakeTorqueSession session = job.running;
        session.signal("CONT");
        session.signal("TERM");
        clock.schedule(() -> session.signal("KILL"), 1, TimeUnit.SECONDS);
    }

    private synchronized void gone(final FakeTorqueJob job, final int run, final int status) {
        if (job.starts != run || job.running == null) {
            return;
        }
        job.running = null;
        job.changed = Instant.ofEpochSecond(Instant.now().getEpochSecond());
        if (!job.then.equals("end")) {
            record(job, job.then.equals("saved") ? 'C' : 'R', job.then.equals("saved") ? "Checkpointed and held" : "");
            job.slots = new TreeMap<>();
            job.session = 0;
            job.state = job.holds.isEmpty() ? 'Q' : 'H';
            job.exitStatus = 0;
            return;
        }
        job.ended = job.changed;
        job.exitStatus = job.overWalltime && !classic ? -11 : status;
        job.used.put("cput", "00:00:00");
        job.used.put(
                "walltime",
                PbsDuration.write(Duration.between(job.started, job.ended).plusSeconds(job.overWalltime ? 1 : 0)));
        record(
                job,
                'E',
                basics(job) + "session=" + job.session + " end=" + job.ended.getEpochSecond() + " Exit_status="
                        + job.exitStatus + " resources_used.cput=00:00:00 resources_used.walltime="
                        + job.used.get("walltime"));
        complete(job);
    }

    /** Torque keeps completed jobs for a while; OpenPBS 2.3 removes them at once. */
    void complete(final FakeTorqueJob job) {
        job.state = 'C';
        job.ended = job.ended == null ? Instant.ofEpochSecond(Instant.now().getEpochSecond()) : job.ended;
        if (classic) {
            jobs.remove(job.id);
        }
        final String array = job.id.replaceAll("\\[.*?]", "[]");
        if (!array.equals(job.id)
                && jobs.values().stream()
                        .noneMatch(other -> other.id.startsWith(job.id.replaceAll("\\[.*", "["))
                                && !other.isArray()
                                && other.state != 'C')) {
            jobs.remove(array);
        }
    }

    private static String basics(final FakeTorqueJob job) {
        final StringBuilder text = new StringBuilder("user=" + job.owner + " group=" + job.owner + " "
                + (job.account.isEmpty() ? "" : "account=" + job.account + " ") + "jobname=" + job.name + " queue="
                + job.queue);
        final long created = job.created.getEpochSecond();
        text.append(" ctime=" + created + " qtime=" + created + " etime=" + created + " start="
                + job.started.getEpochSecond() + " owner=" + job.owner + "@" + HOST + " exec_host=" + job.execHost()
                + " ");
        job.resources.forEach((name, value) -> text.append("Resource_List.")
                .append(name)
                .append('=')
                .append(value)
                .append(' '));
        return text.toString();
    }

    void record(final FakeTorqueJob job, final char type, final String text) {
        final Instant now = Instant.now();
        try {
            Files.createDirectories(accounting());
            Files.writeString(
                    accounting()
                            .resolve(DateTimeFormatter.BASIC_ISO_DATE.format(
                                    now.atZone(ZoneOffset.UTC).toLocalDate())),
                    RECORD.format(now.atZone(ZoneOffset.UTC)) + ";" + type + ";" + job.id + ";" + text + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized void schedule() {
        if (!scheduling || down) {
            return;
        }
        for (final FakeTorqueJob job : new ArrayList<>(jobs.values())) {
            if (job.state == 'Q' && !job.isArray()) {
                final Map<String, Integer> slots = place(NodeSpec.read(job.resources.getOrDefault("nodes", "1")));
                if (slots.isEmpty()) {
                    job.comment = "Not Running: Not enough of the right type of nodes are available";
                } else {
                    job.comment = "Job started on " + job.created;
                    start(job, slots);
                }
            }
        }
    }

    private Map<String, Integer> place(final NodeSpec spec) {
        final Map<String, Integer> free = free();
        final Map<String, Integer> slots = new TreeMap<>();
        for (final NodeSpec.Part part : spec.parts()) {
            for (int node = 0; node < part.nodes(); node++) {
                final String host = free.entrySet().stream()
                        .filter(one -> one.getValue() >= part.ppn() && !slots.containsKey(one.getKey()))
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse("");
                if (host.isEmpty()) {
                    return Map.of();
                }
                slots.put(host, part.ppn());
            }
        }
        return slots;
    }

    @Override
    public void close() {
        clock.shutdownNow();
        synchronized (this) {
            jobs.values().stream().filter(job -> job.running != null).forEach(job -> job.running.signal("KILL"));
        }
    }
}
