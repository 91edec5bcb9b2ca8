package io.millrace.agent.pbspro;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbspro.query.HoldMark;
import io.millrace.model.UserName;
import io.millrace.model.array.ArrayIndices;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The commands of the fake that change a job. */
final class FakePbsCommands {

    private static final Pattern RANGE = Pattern.compile("\\d+\\[\\d+-\\d+(:\\d+)?](\\..*)?");

    private static final List<String> SIGNALS =
            List.of("0", "HUP", "INT", "KILL", "TERM", "USR1", "USR2", "STOP", "CONT");

    private final FakePbsServer server;
    private final UserName user;
    private final boolean operator;

    FakePbsCommands(final FakePbsServer server, final UserName user, final boolean operator) {
        this.server = server;
        this.user = user;
        this.operator = operator;
    }

    static @Nullable FakePbsJob find(final FakePbsServer server, final String id) {
        final PbsId wanted = PbsId.in(id).orElse(null);
        return wanted == null
                ? null
                : server.jobs.values().stream()
                        .filter(job -> PbsId.in(job.id()).orElseThrow().isSameJob(wanted))
                        .findFirst()
                        .orElse(null);
    }

    CommandResult answer(final String program, final List<String> arguments) {
        CommandResult last = FakePbs.ok("");
        final int ids = switch (program) {
            case "qhold", "qrls", "qsig" -> 2;
            case "qalter" -> options(arguments);
            case "qmove" -> 1;
            default -> 0;
        };
        for (final String id : arguments.subList(ids, arguments.size())) {
            final CommandResult one =
                    program.equals("qrun") && RANGE.matcher(id).matches()
                            ? runRange(id)
                            : order(program, arguments, id);
            last = one.succeeded() ? last : one;
        }
        return last;
    }

    /** Number of leading words that are options with their values. */
    private static int options(final List<String> arguments) {
        int at = 0;
        while (at < arguments.size() && arguments.get(at).startsWith("-")) {
            at += 2;
        }
        return at;
    }

    private CommandResult order(final String program, final List<String> arguments, final String id) {
        if (PbsId.in(id).isEmpty()) {
            return FakePbs.no(1, program + ": illegally formed job identifier: " + id);
        }
        final FakePbsJob job = program.equals("qrun") ? waitingSubjob(id) : find(server, id);
        if (job == null) {
            return no(program, 153, "Unknown Job Id " + FakePbs.full(id));
        }
        if (job.over()) {
            return no(program, 35, "Job has finished" + (program.equals("qdel") ? " " + job.id() : ""));
        }
        final boolean owns = job.owner.equals(user);
        final boolean operators = List.of("qrun", "qrerun").contains(program)
                || program.equals("qsig") && List.of("suspend", "resume").contains(arguments.get(1))
                || List.of("qhold", "qrls").contains(program)
                        && arguments.get(1).matches(".*[so].*")
                || program.equals("qalter") && (arguments.get(1).startsWith("run_count=") || arguments.contains("-h"));
        if (!operator && (operators || !owns)) {
            return no(program, 159, "Unauthorized Request  " + job.id());
        }
        return switch (program) {
            case "qhold" -> hold(job, arguments.get(1));
            case "qrls" -> release(job, arguments.get(1));
            case "qrun" -> run(job);
            case "qrerun" -> rerun(job);
            case "qsig" -> signal(job, arguments.get(1));
            case "qdel" -> delete(job);
            case "qmove" -> move(job, arguments.get(0));
            default -> alterAll(job, arguments.subList(0, options(arguments)));
        };
    }

    private static CommandResult no(final String program, final int exit, final String words) {
        return FakePbs.no(program.equals("qrun") ? 2 : exit, program + ": " + words);
    }

    private static CommandResult wrongState(final String program, final FakePbsJob job) {
        return no(program, 168, "Request invalid for state of job " + job.id());
    }

    private CommandResult hold(final FakePbsJob job, final String letters) {
        if (job.array != null) {
            return no("qhold", 156, "Invalid request " + job.id());
        }
        final StringBuilder holds = new StringBuilder(job.holds);
        letters.chars().filter(letter -> job.holds.indexOf(letter) < 0).forEach(letter -> holds.append((char) letter));
        job.held(holds.toString());
        job.comment = "Job held by " + user + " on " + Instant.now();
        if (job.letter.equals("R") && job.substate == 42 && server.savesJobs && !job.checkpoint.equals("n")) {
            job.saving = true;
            server.endNow(job);
        }
        return FakePbs.ok("");
    }

    /** The scheduler can start a released job before the next command arrives. */
    private CommandResult release(final FakePbsJob job, final String letters) {
        final StringBuilder left = new StringBuilder();
        job.holds.chars().filter(letter -> letters.indexOf(letter) < 0).forEach(letter -> left.append((char) letter));
        job.held(left.toString());
        if (left.isEmpty()) {
            job.comment = null;
            if (server.scheduling && job.letter.equals("Q") && !job.isArray()) {
                server.start(job);
            }
        }
        return FakePbs.ok("");
    }

    /** A waiting subjob becomes a separate job when it starts. */
    private @Nullable FakePbsJob waitingSubjob(final String text) {
        final PbsId id = PbsId.in(text).orElseThrow();
        final FakePbsJob there = find(server, text);
        if (there != null || !id.isSubjob()) {
            return there;
        }
        final FakePbsJob array = find(server, id.array().toString());
        final int index = Integer.parseInt(String.valueOf(id.brackets()));
        if (array == null || array.waiting == null || !array.waiting.contains(index)) {
            return null;
        }
        final FakePbsJob subjob = new FakePbsJob(array.number, "[" + index + "]", array.owner, array.created);
        subjob.name = array.name;
        subjob.resources.putAll(array.resources);
        subjob.variables.putAll(array.variables);
        subjob.script = array.script;
        subjob.program = array.program;
        subjob.array = array;
        server.jobs.put(subjob.id(), subjob);
        return subjob;
    }

    /** As OpenPBS 23.06: starts the waiting subjobs of the range until one does not fit. */
    private CommandResult runRange(final String id) {
        final String range = id.substring(id.indexOf('[') + 1, id.indexOf(']'));
        final String name = id.replace("[" + range + "]", "[]");
        final FakePbsJob array = find(server, name);
        if (array == null || array.waiting == null) {
            return no("qrun", 153, "Unknown Job Id " + FakePbs.full(name));
        }
        final List<Integer> waiting =
                ArrayIndices.read(range).filter(array.waiting::contains).boxed().toList();
        if (waiting.isEmpty()) {
            return no("qrun", 168, "Request invalid for state of job " + id);
        }
        for (final int index : waiting) {
            if (!order("qrun", List.of(), name.replace("[]", "[" + index + "]")).succeeded()) {
                return no("qrun", 2, "Not enough free nodes available " + id);
            }
        }
        return FakePbs.ok("");
    }

    private CommandResult run(final FakePbsJob job) {
        if (!job.letter.equals("Q") || job.isArray()) {
            return wrongState("qrun", job);
        }
        if (!server.start(job)) {
            return no(
                    "qrun", 2, "Insufficient amount of resource: ncpus (R: " + job.ncpus() + " A: 0 T: 4) " + job.id());
        }
        if (job.array != null && job.array.waiting != null) {
            job.array.waiting.remove(Integer.valueOf(job.brackets.replaceAll("[\\[\\]]", "")));
            job.array.letter = "B";
        }
        return FakePbs.ok("");
    }

    /** Moves a job with its hold. An array with a started subjob, and a single subjob, cannot be moved. */
    private static CommandResult move(final FakePbsJob job, final String queue) {
        if (!List.of("workq", "short").contains(queue)) {
            return no("qmove", 170, "Unknown queue " + job.id());
        }
        if (job.runs() || job.array != null || job.letter.equals("B")) {
            return wrongState("qmove", job);
        }
        job.queue = queue;
        return FakePbs.ok("");
    }

    private CommandResult rerun(final FakePbsJob job) {
        if (!job.rerunable) {
            return no("qrerun", 190, "job is not rerunnable " + job.id());
        }
        if (!job.letter.equals("R") && !job.letter.equals("S")) {
            return wrongState("qrerun", job);
        }
        job.requeued = true;
        server.endNow(job);
        return FakePbs.ok("");
    }

    private CommandResult signal(final FakePbsJob job, final String name) {
        if (name.equals("suspend") || name.equals("resume")) {
            final boolean suspend = name.equals("suspend");
            if (!job.letter.equals(suspend ? "R" : "S")) {
                return wrongState("qsig", job);
            }
            server.kill(job, suspend ? "STOP" : "CONT");
            job.letter = suspend ? "S" : "R";
            job.substate = suspend ? 43 : 42;
            return FakePbs.ok("");
        }
        final String plain = name.replaceFirst("^SIG", "");
        if (!SIGNALS.contains(plain)) {
            return no("qsig", 165, "Unknown/illegal signal name " + job.id());
        }
        if (!job.letter.equals("R")) {
            return wrongState("qsig", job);
        }
        server.kill(job, plain);
        return FakePbs.ok("");
    }

    private CommandResult delete(final FakePbsJob job) {
        job.deleted = true;
        server.line('D', job.id(), "requestor=" + user + "@vm");
        if (!job.runs() || job.process == null) {
            server.finish(job, 91);
        } else {
            if (job.letter.equals("S")) {
                server.kill(job, "CONT");
            }
            server.kill(job, "TERM");
            final var process = job.process;
            Thread.startVirtualThread(() -> {
                try {
                    if (!process.waitFor(1, java.util.concurrent.TimeUnit.SECONDS)) {
                        server.kill(job, "KILL");
                    }
                } catch (final InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        if (job.isArray()) {
            server.jobs.values().stream()
                    .filter(subjob -> subjob.array == job && !subjob.over())
                    .toList()
                    .forEach(this::delete);
        }
        return FakePbs.ok("");
    }

    /** As OpenPBS 23.06: all changes or none. {@code -h} replaces the holds. */
    private CommandResult alterAll(final FakePbsJob job, final List<String> options) {
        final List<String> order = new java.util.ArrayList<>(List.of("-l", "-W", "-h", "-N"));
        for (final String option : order) {
            final int at = options.indexOf(option);
            if (at >= 0) {
                final CommandResult one = alter(job, option, options.get(at + 1));
                if (!one.succeeded()) {
                    return one;
                }
            }
        }
        return FakePbs.ok("");
    }

    private CommandResult alter(final FakePbsJob job, final String option, final String value) {
        final String[] pair = value.split("=", 2);
        if (option.equals("-N")) {
            job.name = value;
            return FakePbs.ok("");
        }
        if (option.equals("-h")) {
            job.held(value.equals("n") ? "" : value);
            return FakePbs.ok("");
        }
        if (option.equals("-W") && pair[0].equals("comment")) {
            if (server.refusesComments || !operator) {
                return no(
                        "qalter",
                        155,
                        "Cannot set attribute, read only or insufficient permission  comment " + job.id());
            }
            if (!pair[1].matches("\"[^\"]*\"")) {
                return no("qalter", 154, "Undefined attribute  " + job.id());
            }
            job.comment = pair[1].substring(1, pair[1].length() - 1);
            return FakePbs.ok("");
        }
        if (option.equals("-W")) {
            job.runs = Integer.parseInt(Map.of(pair[0], pair[1]).getOrDefault("run_count", "0"));
            return FakePbs.ok("");
        }
        final String name = pair[0];
        if (name.equals(HoldMark.RESOURCE) && server.hasResource && !operator) {
            return no(
                    "qalter",
                    155,
                    "Cannot set attribute, read only or insufficient permission  Resource_List." + name + " "
                            + job.id());
        }
        if (name.equals(HoldMark.RESOURCE)
                ? !server.hasResource
                : !List.of("walltime", "select").contains(name)) {
            return no("qalter", 187, "Unknown resource Resource_List." + name + " " + job.id());
        }
        if (job.runs() && !name.equals("walltime")) {
            return no(
                    "qalter", 167, "Cannot modify attribute while job running  Resource_List." + name + " " + job.id());
        }
        job.resources.put(name, pair[1]);
        if (name.equals("select")) {
            job.resources.put("ncpus", Integer.toString(cores(pair[1])));
        }
        return FakePbs.ok("");
    }

    private static int cores(final String select) {
        int all = 0;
        for (final String chunk : select.split("\\+")) {
            final String[] words = chunk.split(":ncpus=|:");
            all += Integer.parseInt(words[0]) * Integer.parseInt(words[1]);
        }
        return all;
    }
}
