package io.millrace.agent.lsf;

import io.millrace.agent.exec.Account;
import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.exec.UserSwitch;
import io.millrace.agent.session.Program;
import io.millrace.agent.session.Session;
import io.millrace.agent.session.Sessions;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Emulates OpenLava 4.0.0: responds to its commands with the recorded texts, formats and exit codes, keeps queues and
 * jobs, and runs the jobs as real processes of their owners. {@code OpenLavaIT} compares it with the recordings.
 */
final class OpenLava implements Runner, AutoCloseable {

    private static final Duration ON_ITS_WAY_BACK = Duration.ofMillis(1200);
    private static final Pattern TERM = Pattern.compile("(\\w+)\\((?:(\\d+)|\"([^\"]*)\")\\)");
    private static final Pattern ARRAY = Pattern.compile("(.*)\\[([\\d,:-]+)](?:%\\d+)?");

    /** @param processors also the number of slots */
    private record Node(String name, int processors) {}

    private static final class Lane {
        final String name;
        final int priority;
        final String description;
        final boolean isDefault;
        final String more;
        boolean open = true;
        boolean active = true;

        Lane(
                final String name,
                final int priority,
                final String description,
                final boolean isDefault,
                final String more) {
            this.name = name;
            this.priority = priority;
            this.description = description;
            this.isDefault = isDefault;
            this.more = more;
        }
    }

    private final Accounts accounts = new Accounts();
    private final Path root;
    private final Sessions sessions;
    private final Clock clock;
    private final List<Node> nodes = new ArrayList<>(List.of(new Node("vm", 2), new Node("vm2", 2)));
    private final Map<String, Lane> queues = new LinkedHashMap<>();
    private final List<OpenLavaJob> jobs = new ArrayList<>();
    private final List<List<String>> asked = new ArrayList<>();
    private final ScheduledExecutorService ticker = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("openlava").unstarted(task));
    private int lastId = 100;
    private boolean limDown;
    private boolean busy;
    private boolean dispatchesAtRelease;

    OpenLava(final Path root, final Clock clock) {
        this.root = root;
        this.clock = clock;
        this.sessions = new Sessions(root.resolve("bin"));
        add(new Lane("urgent", 90, "Preempts jobs in the normal queue", false, "\nPREEMPTION = PREEMPTIVE[normal]"));
        add(new Lane("admin", 60, "Administrators only", false, ""));
        add(new Lane("short", 50, "Short jobs, 5 minutes at most", false, ""));
        add(new Lane(
                "normal", 30, "For normal low priority jobs, running only if hosts are lightly loaded.", true, ""));
        ticker.scheduleWithFixedDelay(this::tick, 100, 100, TimeUnit.MILLISECONDS);
    }

    private void add(final Lane lane) {
        queues.put(lane.name, lane);
    }

    /** As an administrator does in lsb.queues, followed by {@code badmin reconfig}. */
    synchronized void addQueue(final String name) {
        add(new Lane(name, 10, "Added later", false, ""));
    }

    /** Simulates a LIM that does not respond: commands wait forever, unless LSB_NTRIES limits their tries. */
    void limIsDown(final boolean down) {
        limDown = down;
    }

    /** From now on a released job is dispatched before {@code bresume} ends, as it may be at any time. */
    synchronized void dispatchesAtRelease() {
        dispatchesAtRelease = true;
    }

    /** All command lines so far. */
    synchronized List<List<String>> asked() {
        return List.copyOf(asked);
    }

    // ---- the runner

    @Override
    public <T> Answer<T> run(final CommandLine<T> command) {
        return run(command, accounts.own(), true);
    }

    @Override
    public Runner as(final UserName owner) {
        final Account account = accounts.named(owner).orElseThrow();
        return new Runner() {
            @Override
            public <T> Answer<T> run(final CommandLine<T> command) {
                return OpenLava.this.run(command, account, false);
            }

            @Override
            public Runner as(final UserName other) {
                return OpenLava.this.as(other);
            }
        };
    }

    private <T> Answer<T> run(final CommandLine<T> command, final Account user, final boolean admin) {
        if (limDown) {
            return "1".equals(command.environment().get("LSB_NTRIES"))
                    ? command.read(trouble("Failed in an LSF library call: LIM is down; try later"))
                    : Answer.trouble(
                            Answer.Kind.TIMEOUT,
                            "'" + command.argv().get(0) + "' did not respond within the limit and was killed");
        }
        return command.read(answer(command, user, admin));
    }

    private synchronized CommandResult answer(final CommandLine<?> command, final Account user, final boolean admin) {
        asked.add(command.argv());
        final List<String> argv = new ArrayList<>(command.argv());
        final String program = Path.of(argv.remove(0)).getFileName().toString();
        return switch (program) {
            case "lsid" -> out("OpenLava 4.0.0, Nov 20 2026\n\nMy cluster name is lava\nMy master name is vm\n");
            case "bjobs" -> bjobs(argv);
            case "bhist" -> bhist(argv);
            case "bhosts" -> bhosts(argv);
            case "lshosts" -> lshosts();
            case "bqueues" -> bqueues();
            case "bparams" -> recorded("075-bparams-l");
            case "bjdep" -> bjdep(argv);
            case "bmgroup" -> trouble("No host group defined in the system");
            case "bsub" -> bsub(argv, command, user);
            case "bstop" -> each(argv, user, admin, ": ", this::stop);
            case "bresume" -> {
                final CommandResult released = each(argv, user, admin, ": ", this::resume);
                if (dispatchesAtRelease) {
                    tick();
                }
                yield released;
            }
            case "bkill" -> bkill(argv, user, admin);
            case "brequeue" -> brequeue(argv, user, admin);
            case "bpost" -> bpost(argv, user, admin);
            case "bmod" -> bmod(argv, user, admin);
            case "bswitch" -> bswitch(argv, user, admin);
            case "brun" -> brun(argv, admin);
            case "bchkpnt" -> bchkpnt(argv, user, admin);
            case "brestart" -> brestart(argv, command, user);
            case "badmin" -> badmin(argv, admin);
            default ->
                new CommandResult(127, new byte[0], (program + ": not found\n").getBytes(StandardCharsets.UTF_8));
        };
    }

    private static CommandResult out(final String text) {
        return CommandResult.of(0, text, "");
    }

    private static CommandResult trouble(final String text) {
        return CommandResult.of(255, "", text + "\n");
    }

    static CommandResult recorded(final String name) {
        return Recording.of(name).result();
    }

    // ---- queries

    private CommandResult bjobs(final List<String> argv) {
        if (argv.contains("-json")) {
            return recorded("042-bjobs-json");
        }
        if (argv.contains("-A")) {
            return arrays();
        }
        final boolean all = argv.contains("-a");
        final @Nullable String columns = argv.contains("-o") ? argv.get(argv.indexOf("-o") + 1) : null;
        final List<String> ids =
                argv.stream().filter(word -> word.matches("\\d+(\\[.*])?")).toList();
        final StringBuilder complaints = new StringBuilder();
        final List<OpenLavaJob> found = new ArrayList<>();
        for (final String id : ids) {
            final List<OpenLavaJob> some = named(id);
            if (some.isEmpty()) {
                complaints.append("Job <").append(id).append("> is not found\n");
            }
            found.addAll(some);
        }
        if (ids.isEmpty()) {
            jobs.stream().filter(job -> all || !job.isOver()).forEach(found::add);
        }
        if (found.isEmpty()) {
            return trouble(
                    ids.isEmpty()
                            ? (all ? "No job found" : "No unfinished job found")
                            : complaints.toString().strip());
        }
        final String text = columns != null
                ? columns(found, columns)
                : argv.contains("-w") ? OpenLavaText.table(found) : OpenLavaText.jobs(found, argv.contains("-l"));
        return CommandResult.of(complaints.isEmpty() ? 0 : 255, text, complaints.toString());
    }

    private CommandResult arrays() {
        final Map<Integer, List<OpenLavaJob>> arrays = jobs.stream()
                .filter(job -> job.index > 0)
                .collect(Collectors.groupingBy(job -> job.id, java.util.LinkedHashMap::new, Collectors.toList()));
        if (arrays.isEmpty()) {
            return trouble("No job found");
        }
        final StringBuilder text =
                new StringBuilder("JOBID    ARRAY_SPEC  OWNER   NJOBS PEND DONE  RUN EXIT SSUSP USUSP PSUSP\n");
        arrays.forEach((id, tasks) -> {
            text.append("%-8d %-11s %-7s %5d"
                    .formatted(
                            id,
                            tasks.getFirst().arraySpec,
                            tasks.getFirst().owner.name().value(),
                            tasks.size()));
            for (final String status : List.of("PEND", "DONE", "RUN", "EXIT", "SSUSP", "USUSP", "PSUSP")) {
                text.append(" %4d"
                        .formatted(tasks.stream()
                                .filter(task -> task.status.equals(status))
                                .count()));
            }
            text.append('\n');
        });
        return out(text.toString());
    }

    private static String columns(final List<OpenLavaJob> jobs, final String format) {
        final List<String> fields = Arrays.stream(
                        format.replaceAll("delimiter=.*", "").strip().split("\\s+"))
                .toList();
        final StringBuilder text = new StringBuilder(
                fields.stream()
                                .map(field -> field.toUpperCase(java.util.Locale.ROOT))
                                .collect(Collectors.joining("|")) + "\n");
        for (final OpenLavaJob job : jobs) {
            text.append(fields.stream()
                            .map(field -> switch (field) {
                                case "jobid" -> Integer.toString(job.id);
                                case "stat" -> job.status;
                                case "user" -> job.owner.name().value();
                                case "queue" -> job.queue;
                                case "job_name" -> job.columnName();
                                default -> "-";
                            })
                            .collect(Collectors.joining("|")))
                    .append('\n');
        }
        return text.toString();
    }

    private CommandResult bjdep(final List<String> argv) {
        final List<OpenLavaJob> some = named(argv.getLast());
        if (some.isEmpty()) {
            return trouble("bjdep: No matching job found.");
        }
        final Matcher term = TERM.matcher(some.get(0).dependency);
        if (!term.matches()) {
            return trouble("bjdep: Job has no dependencies.");
        }
        final StringBuilder text = new StringBuilder(
                "Dependencies of job " + argv.getLast() + "\nDEPENDENCY  JOBID  JOB_STATUS   DEPENDENCY_STATUS\n");
        parents(some.get(0))
                .forEach(parent -> text.append("%-10s  %-5s   %-10s   %s\n"
                        .formatted(
                                term.group(1),
                                parent.local(),
                                parent.isWaiting() ? "PEND" : parent.isStarted() ? "RUN" : parent.status,
                                isMet(term.group(1), parent))));
        return out(text.toString());
    }

    private List<OpenLavaJob> parents(final OpenLavaJob job) {
        final Matcher term = TERM.matcher(job.dependency);
        return term.matches()
                ? jobs.stream()
                        .filter(other -> term.group(2) != null
                                ? other.local().equals(term.group(2))
                                : other.name.equals(term.group(3)))
                        .toList()
                : List.of();
    }

    private boolean dependencyIsMet(final OpenLavaJob job) {
        final Matcher term = TERM.matcher(job.dependency);
        return job.dependency.isEmpty()
                || (term.matches() && parents(job).stream().allMatch(parent -> isMet(term.group(1), parent)));
    }

    private static boolean isMet(final String test, final OpenLavaJob parent) {
        return switch (test) {
            case "done", "post_done" -> parent.status.equals("DONE");
            case "exit" -> parent.status.equals("EXIT");
            case "ended" -> parent.isOver();
            case "started" -> !parent.isWaiting();
            default -> throw new IllegalArgumentException(test);
        };
    }

    private CommandResult bhist(final List<String> argv) {
        final List<String> ids =
                argv.stream().filter(word -> word.matches("\\d+(\\[.*])?")).toList();
        final List<OpenLavaJob> found = ids.isEmpty()
                ? jobs.stream().filter(job -> !job.isOver()).toList()
                : ids.stream().flatMap(id -> named(id).stream()).toList();
        return found.isEmpty() ? trouble("No matching job found") : out(OpenLavaText.history(found, now()));
    }

    private CommandResult bhosts(final List<String> argv) {
        if (argv.contains("-gpu")) {
            return trouble("bhosts: illegal option -- g");
        }
        final StringBuilder text = new StringBuilder(
                "HOST_NAME          STATUS          JL/U    MAX  NJOBS    RUN  SSUSP  USUSP    RSV \n");
        for (final Node node : nodes) {
            final int taken = taken(node.name());
            text.append("%-18s %-14s %5s %6d %6d %6d      0      0      0\n"
                    .formatted(
                            node.name(),
                            taken >= node.processors() ? "closed_Full" : "ok",
                            "-",
                            node.processors(),
                            taken,
                            taken));
        }
        return out(text.toString());
    }

    private CommandResult lshosts() {
        final StringBuilder text = new StringBuilder(
                "HOST_NAME                       type       model  cpuf ncpus maxmem maxswp server RESOURCES\n");
        nodes.forEach(node -> text.append("%-30s linux     IntelI5 100.0 %5d 24105M      -    Yes (fs cs)\n"
                .formatted(node.name(), node.processors())));
        return out(text.toString());
    }

    private CommandResult bqueues() {
        final StringBuilder text = new StringBuilder("\n");
        int printed = 0;
        for (final Lane lane : queues.values()) {
            text.append(printed++ > 0 ? "-".repeat(79) + "\n\n" : "");
            final String status = lane.open
                    ? (lane.active ? "   Open:Active  " : " Open:Inact_Adm ")
                    : (lane.active ? "  Closed:Active " : "Closed:Inact_Adm");
            final long pending = jobs.stream()
                    .filter(job -> job.queue.equals(lane.name) && job.isWaiting())
                    .count();
            final long running = jobs.stream()
                    .filter(job -> job.queue.equals(lane.name) && job.isStarted())
                    .count();
            text.append("QUEUE: %s\n  -- %s%s\n\n"
                            .formatted(
                                    lane.name, lane.description, lane.isDefault ? "  This is the default queue." : ""))
                    .append("PARAMETERS/STATISTICS\nPRIO NICE     STATUS       MAX JL/U JL/P JL/H NJOBS  PEND  RUN")
                    .append("  SSUSP USUSP  RSV\n%4d   0 %-16.16s   -    -    -    -%6d %5d %5d     0     0    0\n\n"
                            .formatted(lane.priority, status, pending + running, pending, running))
                    .append("Interval for a host to accept two jobs is 0 seconds\n");
            if (lane.name.equals("short")) {
                text.append("\n RUNLIMIT                \n 5.0 min of vm           \n");
            }
            text.append("\n"
                            + "SCHEDULING PARAMETERS\n"
                            + "           r15s   r1m  r15m   ut      pg    io   ls    it    tmp    swp    mem\n")
                    .append(lane.more.isEmpty() ? "" : lane.more + "\n")
                    .append(lane.name.equals("admin") ? "USERS:  root lavadm \n" : "\nUSERS:  all users\n")
                    .append("HOSTS:  all hosts used by the OpenLava system\n\n");
        }
        return out(text.toString());
    }

    // ---- submission

    private CommandResult bsub(final List<String> argv, final CommandLine<?> command, final Account user) {
        final Map<String, String> option = new TreeMap<>();
        int at = 0;
        for (; at < argv.size() && argv.get(at).startsWith("-"); at++) {
            if (Set.of("-H", "-r", "-I").contains(argv.get(at))) {
                option.put(argv.get(at), "");
            } else if (Set.of("-J", "-o", "-W", "-n", "-q", "-P", "-R", "-k", "-w", "-b", "-m")
                    .contains(argv.get(at))) {
                option.put(argv.get(at), argv.get(++at));
            } else {
                return trouble("bsub: illegal option -- " + argv.get(at).charAt(1) + "\n. Job not submitted.");
            }
        }
        final String text = at < argv.size()
                ? String.join(" ", argv.subList(at, argv.size()))
                : new String(command.input(), StandardCharsets.UTF_8);
        return hand(option, text, command, user);
    }

    private CommandResult hand(
            final Map<String, String> option, final String text, final CommandLine<?> command, final Account user) {
        final int id = ++lastId; // a rejected submission also uses an id
        final String queue = option.getOrDefault("-q", "normal");
        final int slots = Integer.parseInt(option.getOrDefault("-n", "1"));
        final @Nullable String refusal = refusal(text, queue, slots, option, user);
        if (refusal != null) {
            return trouble(refusal + " Job not submitted.");
        }
        final Matcher array = ARRAY.matcher(option.getOrDefault("-J", ""));
        final boolean isArray = array.matches();
        for (final int index : isArray ? indices(array.group(2)) : List.of(0)) {
            final OpenLavaJob job = new OpenLavaJob(
                    id,
                    index,
                    user,
                    java.util.Objects.requireNonNullElse(command.directory(), user.home()),
                    text,
                    now(),
                    option.containsKey("-H"));
            job.name = isArray ? array.group(1) : option.getOrDefault("-J", "");
            job.arraySpec = option.getOrDefault("-J", "");
            job.queue = queue;
            job.slots = slots;
            job.project = option.getOrDefault("-P", "default");
            job.resources = option.getOrDefault("-R", "");
            job.dependency = option.getOrDefault("-w", "");
            job.hosts = option.getOrDefault("-m", "");
            job.checkpoint = option.getOrDefault("-k", "").replaceAll(" .*", "");
            job.minutes = minutes(option.getOrDefault("-W", "0"));
            job.rerunnable = option.containsKey("-r");
            job.interactive = option.containsKey("-I");
            job.status = job.onHold ? "PSUSP" : "PEND";
            job.reason = reason(job);
            jobs.add(job);
        }
        return out("Job <" + id + "> is submitted to " + (option.containsKey("-q") ? "" : "default ") + "queue <"
                + queue + ">.\n");
    }

    private @Nullable String refusal(
            final String text,
            final String queue,
            final int slots,
            final Map<String, String> option,
            final Account user) {
        final Lane lane = queues.get(queue);
        if (text.isBlank()) {
            return "No command is specified.";
        }
        if (lane == null) {
            return queue + ": No such queue.";
        }
        if (lane.name.equals("admin")) {
            return queue + ": User cannot use the queue.";
        }
        if (!lane.open) {
            return queue + ": Queue has been closed.";
        }
        if (slots > nodes.stream().mapToInt(Node::processors).sum()) {
            return "Too many processors requested.";
        }
        if (queue.equals("short") && minutes(option.getOrDefault("-W", "0")) > 5) {
            return "RUNLIMIT: Cannot exceed queue's hard limit(s).";
        }
        final String hosts = option.getOrDefault("-m", "vm");
        if (nodes.stream().noneMatch(node -> node.name().equals(hosts))) {
            return hosts + ": Bad host name, host group name or cluster name.";
        }
        return user.uid() == 0 ? "User permission denied." : null;
    }

    private static int minutes(final String text) {
        final String[] part = text.split(":");
        return part.length == 2
                ? Integer.parseInt(part[0]) * 60 + Integer.parseInt(part[1])
                : Integer.parseInt(part[0]);
    }

    private static List<Integer> indices(final String list) {
        return Arrays.stream(list.split(","))
                .flatMap(part -> {
                    final String[] step = part.split(":");
                    final String[] range = step[0].split("-");
                    final int by = step.length > 1 ? Integer.parseInt(step[1]) : 1;
                    return IntStream.rangeClosed(Integer.parseInt(range[0]), Integer.parseInt(range[range.length - 1]))
                            .filter(index -> (index - Integer.parseInt(range[0])) % by == 0)
                            .boxed();
                })
                .toList();
    }

    // ---- commands

    /** As OpenLava 4.0: a message of an array task is posted to all later tasks. */
    private CommandResult bpost(final List<String> argv, final Account user, final boolean admin) {
        final List<OpenLavaJob> some = named(argv.get(2));
        if (some.isEmpty()) {
            return trouble("lsb_jobmsg(): No matching job found");
        }
        if (!admin && some.getFirst().owner.uid() != user.uid()) {
            return trouble("lsb_jobmsg(): User permission denied");
        }
        if (some.getFirst().index > 0) {
            throw new IllegalStateException("a message of an array task would be shared by other tasks");
        }
        some.getFirst().messages.add(argv.get(1));
        return out("Message to job " + argv.get(2) + " posted all right.\n");
    }

    synchronized List<String> messages(final String id) {
        return List.copyOf(named(id).getFirst().messages);
    }

    private CommandResult each(
            final List<String> argv,
            final Account user,
            final boolean admin,
            final String colon,
            final Function<OpenLavaJob, String> order) {
        final StringBuilder output = new StringBuilder();
        final StringBuilder complaints = new StringBuilder();
        for (final String id : argv) {
            final List<OpenLavaJob> some = named(id);
            final boolean array = some.size() > 1;
            String done = some.isEmpty() ? "!No matching job found" : "";
            for (final OpenLavaJob job : some) {
                if (done.isEmpty() || array) {
                    done = !admin && job.owner.uid() != user.uid() ? "!User permission denied" : order.apply(job);
                }
            }
            if (array && !done.equals("!User permission denied")) {
                done = "!Operation is in progress"; // the tasks are changed in the background
            }
            if (done.startsWith("!")) {
                complaints
                        .append("Job <")
                        .append(id)
                        .append(">")
                        .append(colon)
                        .append(done.substring(1))
                        .append('\n');
            } else {
                output.append("Job <").append(id).append("> ").append(done).append('\n');
            }
        }
        return CommandResult.of(complaints.isEmpty() ? 0 : 255, output.toString(), complaints.toString());
    }

    private String stop(final OpenLavaJob job) {
        if (job.isOver()) {
            return "!Job has already finished";
        }
        if (job.isStarted()) {
            signal(job, "STOP");
            job.status = "USUSP";
            job.happened(now(), "Suspended by the user or administrator;");
        } else {
            job.status = "PSUSP";
        }
        job.reason = reason(job);
        return "is being stopped";
    }

    private String resume(final OpenLavaJob job) {
        if (job.isOver()) {
            return "!Job has already finished";
        }
        if (job.isStarted()) {
            signal(job, "CONT");
            job.status = "RUN";
            job.happened(now(), "Running;");
        } else if (job.status.equals("PSUSP")) {
            job.status = "PEND";
            job.happened(now(), "Pending: Waiting for scheduling after resumed by user: 1 host;");
        }
        job.reason = reason(job);
        return "is being resumed";
    }

    private CommandResult bkill(final List<String> argv, final Account user, final boolean admin) {
        if (argv.get(0).equals("-s")) {
            final String signal = argv.get(1).replaceFirst("^SIG", "");
            if (!recorded("110-signal-list").outputText().contains(signal + " ")) {
                return trouble(argv.get(1) + ": Illegal signal value");
            }
            return switch (signal) {
                case "STOP" -> each(argv.subList(2, argv.size()), user, admin, ": ", this::stop);
                case "CONT" -> each(argv.subList(2, argv.size()), user, admin, ": ", this::resume);
                default ->
                    each(argv.subList(2, argv.size()), user, admin, ": ", job -> {
                        if (!job.isStarted()) {
                            return job.isOver() ? "!Job has already finished" : "!Job has not started yet";
                        }
                        job.happened(now(), asked(signal, user));
                        signal(job, signal);
                        return "is being signaled";
                    });
            };
        }
        return each(argv, user, admin, ": ", job -> kill(job, user));
    }

    private String kill(final OpenLavaJob job, final Account user) {
        if (job.isOver()) {
            return "!Job has already finished";
        }
        job.happened(now(), asked("KILL", user));
        if (job.isStarted()) {
            end(job, "KILL");
        } else {
            job.status = "EXIT";
            job.started = null;
            job.finished = now();
            job.happened(now(), "Exited");
        }
        return "is being terminated";
    }

    private static String asked(final String signal, final Account user) {
        return "Signal <" + signal + "> requested by user or administrator <" + user.name() + ">;";
    }

    private CommandResult brequeue(final List<String> argv, final Account user, final boolean admin) {
        final boolean held = argv.remove("-H");
        final boolean ended = argv.remove("-e");
        final CommandResult output = each(argv, user, admin, " : ", job -> {
            if (job.isWaiting()) {
                return "!Job has not started yet";
            }
            if (job.isOver() && !ended) {
                return "!Job has already finished";
            }
            job.happened(now(), asked(held ? "REQUEUE_PSUSP" : "REQUEUE_PEND", user));
            if (job.isOver()) {
                back(job, held);
            } else {
                end(job, held ? "PSUSP" : "PEND");
            }
            return "is being requeued ";
        });
        return output;
    }

    private CommandResult bmod(final List<String> argv, final Account user, final boolean admin) {
        final String id = argv.getLast();
        final List<OpenLavaJob> some = named(id);
        if (some.isEmpty()) {
            return trouble(id + ": No matching job found. Job not modified.");
        }
        if (!admin && some.get(0).owner.uid() != user.uid()) {
            return trouble("User permission denied. Job not modified.");
        }
        if (!some.get(0).isWaiting()) {
            return trouble("Job parameters cannot be changed now; non-repetitive job is running. Job not modified.");
        }
        for (final OpenLavaJob job : some) {
            for (int at = 0; at < argv.size() - 1; at++) {
                switch (argv.get(at)) {
                    case "-W" -> job.minutes = minutes(argv.get(++at));
                    case "-J" -> job.name = argv.get(++at);
                    case "-n" -> job.slots = Integer.parseInt(argv.get(++at));
                    case "-P" -> job.project = argv.get(++at);
                    case "-q" -> job.queue = argv.get(++at);
                    case "-bn" -> job.begin = null;
                    case "-wn" -> job.dependency = "";
                    default -> throw new IllegalArgumentException("bmod " + argv.get(at));
                }
            }
        }
        return out("Parameters of job <" + id + "> are being changed\n");
    }

    private CommandResult bswitch(final List<String> argv, final Account user, final boolean admin) {
        final Lane lane = queues.get(argv.get(0));
        if (lane == null) {
            return trouble(argv.get(0) + ": No such queue");
        }
        if (lane.name.equals("admin")) {
            return trouble(argv.get(0) + ": User cannot use the queue");
        }
        final CommandResult output = each(argv.subList(1, argv.size()), user, admin, ": ", job -> {
            if (job.isOver()) {
                return "!Job has already finished";
            }
            job.queue = lane.name;
            job.reason = reason(job);
            job.happened(
                    now(), "Switched to Queue <" + lane.name + "> by user or administrator <" + user.name() + ">;");
            return "is switched to queue <" + lane.name + ">";
        });
        return output.errorText().contains("in progress")
                ? out("Job <" + argv.get(1) + "> is switched to queue <" + lane.name + ">\n")
                : output;
    }

    private CommandResult brun(final List<String> argv, final boolean admin) {
        final List<OpenLavaJob> some = named(argv.getLast());
        final List<String> hosts = List.of(argv.get(1).split(" "));
        final String refusal = some.isEmpty()
                ? "No matching job found"
                : !admin
                        ? "User permission denied"
                        : some.size() > 1
                                ? "Cannot operate on a job array"
                                : some.get(0).isStarted()
                                        ? "Job has already started"
                                        : nodes.stream()
                                                        .map(Node::name)
                                                        .toList()
                                                        .containsAll(hosts)
                                                ? ""
                                                : "Bad host name, host group name or cluster name";
        if (!refusal.isEmpty()) {
            return trouble("Failed to run the job: " + refusal);
        }
        // brun checks nothing, ignores repeated names and fills each host up to its slots.
        final OpenLavaJob job = some.get(0);
        final List<String> on = new ArrayList<>();
        hosts.stream()
                .distinct()
                .forEach(host -> nodes.stream()
                        .filter(node -> node.name().equals(host))
                        .forEach(node -> {
                            for (int slot = 0; slot < node.processors() && on.size() < job.slots; slot++) {
                                on.add(host);
                            }
                        }));
        if (on.size() < job.slots) {
            return trouble("Failed to run the job: Wrong number of processors requested");
        }
        launch(job, on);
        return out("Job <" + job.local() + "> is being forced to run.\n");
    }

    private CommandResult bchkpnt(final List<String> argv, final Account user, final boolean admin) {
        final boolean kill = argv.remove("-k");
        return each(argv, user, admin, ": ", job -> {
            if (job.checkpoint.isEmpty()) {
                return "!Job is not checkpointable";
            }
            if (!job.isStarted()) {
                return "!Job has not started yet";
            }
            job.happened(now(), "Checkpoint initiated (actpid 29828);");
            job.happened(now(), "Checkpoint succeeded (actpid 29828);");
            if (kill) {
                end(job, "CHKPNT");
            }
            return "is being checkpointed";
        });
    }

    private CommandResult brestart(final List<String> argv, final CommandLine<?> command, final Account user) {
        final String id = argv.getLast();
        final List<OpenLavaJob> some = named(id);
        final String folder = argv.get(argv.size() - 2);
        if (some.isEmpty()
                || !folder.equals(some.get(0).checkpoint)
                || some.get(0).history.stream().noneMatch(event -> event.text().startsWith("Checkpoint succeeded"))) {
            return trouble("Checkpoint log is not found or is corrupted. Job not submitted.");
        }
        final OpenLavaJob old = some.get(0);
        final OpenLavaJob job = new OpenLavaJob(++lastId, 0, user, old.directory, old.command, now(), false);
        job.name = old.name;
        job.slots = old.slots;
        job.minutes = old.minutes;
        job.resources = old.resources;
        job.checkpoint = old.checkpoint;
        job.rerunnable = old.rerunnable;
        job.queue = argv.get(argv.indexOf("-q") + 1);
        job.begin = argv.contains("-b") ? now().plus(23, ChronoUnit.HOURS) : null;
        job.reason = reason(job);
        jobs.add(job);
        return out("Job <" + job.id + "> is submitted to queue <" + job.queue + ">.\n");
    }

    private CommandResult badmin(final List<String> argv, final boolean admin) {
        final String verb = argv.get(0);
        final Map<String, String> done =
                Map.of("qinact", "inactivated", "qact", "activated", "qclose", "closed", "qopen", "opened");
        final StringBuilder output = new StringBuilder();
        for (final String name : argv.subList(1, argv.size())) {
            final Lane lane = queues.get(name);
            if (!admin) {
                return trouble("Queue control failed: User permission denied");
            }
            if (lane == null) {
                return trouble(name + ": No such queue");
            }
            lane.active = verb.equals("qact") || (lane.active && !verb.equals("qinact"));
            lane.open = verb.equals("qopen") || (lane.open && !verb.equals("qclose"));
            output.append("Queue <")
                    .append(name)
                    .append("> is ")
                    .append(done.get(verb))
                    .append('\n');
        }
        jobs.stream().filter(OpenLavaJob::isWaiting).forEach(job -> job.reason = reason(job));
        return out(output.toString());
    }

    // ---- background

    private synchronized void tick() {
        try {
            for (final OpenLavaJob job : List.copyOf(jobs)) {
                if (job.isStarted()) {
                    look(job);
                } else if (job.nextLife != null && clock.instant().isAfter(job.nextLife)) {
                    job.nextLife = null;
                    back(job, job.then.equals("PSUSP"));
                }
            }
            jobs.stream().filter(this::mayStart).forEach(job -> place(job).ifPresent(on -> launch(job, on)));
        } catch (final RuntimeException e) {
            System.getLogger(OpenLava.class.getName()).log(System.Logger.Level.ERROR, "the emulator failed", e);
        }
    }

    private boolean mayStart(final OpenLavaJob job) {
        final Lane lane = queues.get(job.queue);
        return job.status.equals("PEND")
                && lane.active
                && dependencyIsMet(job)
                && (job.begin == null || job.begin.isBefore(clock.instant()));
    }

    private java.util.Optional<List<String>> place(final OpenLavaJob job) {
        final List<String> on = new ArrayList<>();
        for (final Node node : nodes) {
            for (int slot = taken(node.name()); slot < node.processors() && on.size() < job.slots; slot++) {
                on.add(node.name());
            }
        }
        return on.size() == job.slots ? java.util.Optional.of(on) : java.util.Optional.empty();
    }

    private int taken(final String host) {
        return jobs.stream()
                .filter(OpenLavaJob::isStarted)
                .mapToInt(job -> (int) job.on.stream().filter(host::equals).count())
                .sum();
    }

    private void launch(final OpenLavaJob job, final List<String> on) {
        job.on = on;
        job.runs++;
        job.then = "";
        job.status = "RUN";
        job.started = now();
        job.happened(now(), "Dispatched to " + OpenLavaText.on(job) + ";");
        job.happened(now(), "Starting (Pid 23357);");
        final Path folder = root.resolve("job-" + job.local() + "-" + job.runs);
        final Path script = root.resolve("script-" + job.local());
        write(script.resolveSibling(script.getFileName() + ".shell"), job.command, job.owner);
        // As under sbatchd, the shell of the job survives signals to the job.
        write(script, "#!/bin/sh\ntrap '#' 15 10 12 2 1\n'" + script + ".shell'\nexit $?\n", job.owner);
        final Program program = new Program(
                List.of(script.toString()),
                UserSwitch.prefix(accounts.own(), job.owner),
                job.environment(),
                Program.BaseEnvironment.EMPTY,
                job.directory,
                Program.TO_THE_LOG,
                Duration.ofDays(1));
        job.session = sessions.prepare(folder, program);
        sessions.launch(folder, program);
        job.happened(
                now(),
                "Running with execution home <" + job.owner.home() + ">, Execution CWD <" + job.directory
                        + ">, Execution Pid <23357>;");
    }

    private static void write(final Path file, final String text, final Account owner) {
        try {
            Files.writeString(file, text.startsWith("#!") ? text : "#!/bin/sh\n" + text);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            if (new Accounts().own().uid() == 0) {
                Files.setAttribute(file, "unix:uid", owner.uid());
            }
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void look(final OpenLavaJob job) {
        final var exit = job.session.exit();
        if (exit.isPresent()) {
            finished(job, exit.get().status());
        } else if (job.minutes > 0
                && job.then.isEmpty()
                && clock.instant().isAfter(job.started.plus(job.minutes, ChronoUnit.MINUTES))) {
            end(job, "LIMIT");
        }
    }

    private void end(final OpenLavaJob job, final String then) {
        job.then = then;
        signal(job, "KILL");
    }

    private static void signal(final OpenLavaJob job, final String signal) {
        // The processes of a new session get the signal as soon as they exist.
        final Instant limit = Instant.now().plusSeconds(300);
        while (!job.session.signal(signal, false)
                && job.session.exit().isEmpty()
                && Instant.now().isBefore(limit)) {
            try {
                Thread.sleep(20);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void finished(final OpenLavaJob job, final int status) {
        job.finished = now();
        job.code = job.then.isEmpty() ? status : 130;
        job.status = job.code == 0 ? "DONE" : "EXIT";
        job.happened(
                now(),
                job.code == 0
                        ? "Done successfully. The CPU time used is 0.0 seconds;"
                        : "Exited with exit code " + job.code + ". The CPU time used is 0.0 seconds;");
        if (job.then.equals("PEND") || job.then.equals("PSUSP")) {
            job.nextLife = clock.instant().plus(ON_ITS_WAY_BACK);
        }
    }

    private void back(final OpenLavaJob job, final boolean held) {
        job.status = held ? "PSUSP" : "PEND";
        job.on = List.of();
        job.happened(now(), "Pending: Job has been requeued;");
        job.reason = reason(job);
    }

    private String reason(final OpenLavaJob job) {
        if (job.status.equals("PSUSP")) {
            return "The job was suspended by the user while pending";
        }
        if (!queues.get(job.queue).active) {
            return "The queue is inactivated by the administrator"; // hides the dependency
        }
        return dependencyIsMet(job) ? "New job is waiting for scheduling" : "Job dependency condition not satisfied";
    }

    private List<OpenLavaJob> named(final String id) {
        final Matcher part = Pattern.compile("(\\d+)(?:\\[(.*)])?").matcher(id);
        if (!part.matches()) {
            return List.of();
        }
        final Predicate<OpenLavaJob> meant = part.group(2) == null
                ? job -> true
                : job -> indices(part.group(2)).contains(job.index);
        return jobs.stream()
                .filter(job -> job.id == Integer.parseInt(part.group(1)))
                .filter(meant)
                .toList();
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    /** Returns when no process writes to the directory any more. */
    @Override
    public synchronized void close() {
        ticker.shutdownNow();
        final List<Session> all = jobs.stream()
                .filter(job -> job.session != null)
                .map(job -> job.session)
                .toList();
        final Instant limit = Instant.now().plusSeconds(300);
        while (all.stream().anyMatch(Session::isWrapperRunning) && Instant.now().isBefore(limit)) {
            // A program that has just started receives no signal yet.
            all.stream().filter(Session::isWrapperRunning).forEach(session -> session.signal("KILL", true));
            try {
                Thread.sleep(100);
            } catch (final InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}
