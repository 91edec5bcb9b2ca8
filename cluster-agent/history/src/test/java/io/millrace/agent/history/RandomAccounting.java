package io.millrace.agent.history;

import io.millrace.agent.history.ImportCounts.Kind;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A random accounting file, with what an import has to find in it. */
final class RandomAccounting {

    private record Job(int id, Instant submitted, Instant started, Instant ended, int cores, String user) {

        long run_s() {
            return ended.getEpochSecond() - started.getEpochSecond();
        }
    }

    private static final List<String> USERS = List.of("anna", "DOMAIN\\ben", "clara.b", "dieter x", "");

    private final AccountingFormat format;
    private final ZoneId zone;
    private final Random random;
    private final List<String> lines = new ArrayList<>();
    private final Map<Kind, Long> expected = new EnumMap<>(Kind.class);
    private final List<Integer> malformed = new ArrayList<>();
    private long coreSeconds;
    private Instant now;

    private RandomAccounting(
            final AccountingFormat format, final ZoneId zone, final Random random, final Instant start) {
        this.format = format;
        this.zone = zone;
        this.random = random;
        this.now = start;
    }

    static RandomAccounting of(final AccountingFormat format, final ZoneId zone, final long seed, final Instant start) {
        final RandomAccounting file = new RandomAccounting(format, zone, new Random(seed), start);
        file.write();
        return file;
    }

    String text() {
        return String.join("\n", lines) + "\n";
    }

    int size() {
        return lines.size();
    }

    long of(final Kind kind) {
        return expected.getOrDefault(kind, 0L);
    }

    List<Integer> malformedLines() {
        return malformed;
    }

    long coreSeconds() {
        return coreSeconds;
    }

    private void write() {
        switch (format) {
            case SLURM ->
                add(
                        Kind.HEADER,
                        "JobID|Submit|Start|End|State|ExitCode|NodeList|AllocTRES|ReqTRES|Timelimit|User|Account|Partition|JobName");
            case LSF -> add(Kind.HEADER, "#accounting");
            case SWF -> add(Kind.HEADER, "; UnixStartTime: 0");
            default -> add(Kind.HEADER, "");
        }
        for (int id = 1; id <= 60; id++) {
            final Job job = job(id);
            switch (random.nextInt(8)) {
                case 0 -> neverStarted(job);
                case 1 -> unfinished(job);
                case 2 -> damaged();
                case 3 -> {
                    run(job, Kind.ADDED);
                    run(job, Kind.KNOWN);
                }
                default -> run(job, Kind.ADDED);
            }
        }
    }

    private Job job(final int id) {
        final Instant submitted = now;
        final Instant started = submitted.plusSeconds(random.nextInt(600));
        final Instant ended = started.plusSeconds(random.nextInt(2400));
        now = ended.plusSeconds(1);
        return new Job(id, submitted, started, ended, 1 + random.nextInt(64), USERS.get(random.nextInt(USERS.size())));
    }

    private void add(final Kind kind, final String line) {
        lines.add(line);
        expected.merge(kind, 1L, Long::sum);
        if (kind == Kind.MALFORMED) {
            malformed.add(lines.size());
        }
    }

    private void damaged() {
        add(Kind.MALFORMED, format == AccountingFormat.SLURM ? "900|too|few" : "no such record");
    }

    private void run(final Job job, final Kind kind) {
        if (kind == Kind.ADDED) {
            coreSeconds += job.cores * job.run_s();
        }
        switch (format) {
            case SLURM -> slurmRun(job, kind);
            case PBS -> {
                add(Kind.DETAIL, pbs('S', job.id + ".srv", job));
                add(kind, pbs('E', job.id + ".srv", job));
                add(Kind.DETAIL, pbs('E', job.id + "[].srv", job));
            }
            case TORQUE -> {
                add(Kind.DETAIL, pbs('Q', job.id + ".srv", job));
                add(kind, torque(job));
            }
            case LSF -> {
                add(Kind.DETAIL, "\"JOB_RESIZE\" \"10.1\" 1 1");
                add(kind, lsf(job, job.started.getEpochSecond()));
            }
            case HTCONDOR -> {
                condor(job, List.of("JobStatus = 4", "CompletionDate = " + job.ended.getEpochSecond()), true);
                add(kind, "***");
            }
            case CLEO -> {
                if (kind == Kind.ADDED) { // the events of a job are in the log once
                    cleo(job.submitted, "ADDED %d; main;; %s; %d; ./a".formatted(job.id, job.user, job.cores));
                    cleo(job.started, "RUN %d; %s; %d; ./a".formatted(job.id, job.user, job.cores));
                    add(kind, cleoLine(job.ended, "END_TASK %d; %s; 0; 0; 0:0:0".formatted(job.id, job.user)));
                }
            }
            case SWF ->
                add(
                        kind,
                        "%d %d %d %d %d -1 -1 -1 600 -1 1 3 2 7 1 0 -1 -1"
                                .formatted(
                                        job.id,
                                        job.submitted.getEpochSecond(),
                                        job.started.getEpochSecond() - job.submitted.getEpochSecond(),
                                        job.run_s(),
                                        job.cores));
        }
    }

    private void slurmRun(final Job job, final Kind kind) {
        final int components = kind == Kind.ADDED && job.cores > 3 ? 1 + random.nextInt(3) : 1;
        if (components == 1) {
            add(kind, sacct(job, Integer.toString(job.id), "COMPLETED", job.cores));
            add(Kind.DETAIL, sacct(job, job.id + ".batch", "COMPLETED", 1));
            return;
        }
        for (int component = 0; component < components; component++) {
            final boolean last = component == components - 1;
            add(
                    last ? kind : Kind.DETAIL,
                    sacct(job, job.id + "+" + component, "COMPLETED", last ? job.cores - components + 1 : 1));
        }
    }

    private void neverStarted(final Job job) {
        switch (format) {
            case SLURM -> add(Kind.NEVER_STARTED, sacct(job, Integer.toString(job.id), "CANCELLED by 1", 0));
            case PBS -> add(Kind.DETAIL, pbs('D', job.id + ".srv", job));
            case TORQUE -> add(Kind.DETAIL, pbs('D', job.id + ".srv", job));
            case LSF -> add(Kind.NEVER_STARTED, lsf(job, 0));
            case HTCONDOR -> {
                condor(job, List.of("JobStatus = 3", "EnteredCurrentStatus = " + job.ended.getEpochSecond()), false);
                add(Kind.NEVER_STARTED, "***");
            }
            case CLEO -> {
                cleo(job.submitted, "ADDED %d; main;; %s; %d; ./a".formatted(job.id, job.user, job.cores));
                add(Kind.NEVER_STARTED, cleoLine(job.ended, "CANCEL: %d; %s".formatted(job.id, job.user)));
            }
            case SWF ->
                add(
                        Kind.NEVER_STARTED,
                        "%d %d 5 -1 -1 -1 -1 8 600 -1 5 4 -1 -1 -1 -1 -1 -1"
                                .formatted(job.id, job.submitted.getEpochSecond()));
        }
    }

    private void unfinished(final Job job) {
        switch (format) {
            case SLURM -> add(Kind.DETAIL, sacct(job, Integer.toString(job.id), "RUNNING", 1));
            case PBS, TORQUE -> add(Kind.DETAIL, pbs('S', job.id + ".srv", job));
            case LSF -> add(Kind.DETAIL, "\"EVENT_ADRSV_FINISH\" \"10.1\" 1");
            case HTCONDOR -> {
                // Evicted after a run, held for a long time, then removed.
                coreSeconds += job.cores * Math.max(1, job.run_s());
                condor(
                        job,
                        List.of(
                                "JobStatus = 3",
                                "LastJobStatus = 5",
                                "LastRemoteWallClockTime = " + Math.max(1, job.run_s()) + ".0",
                                "EnteredCurrentStatus = " + (job.ended.getEpochSecond() + 604_800)),
                        true);
                add(Kind.ADDED, "");
            }
            case CLEO -> cleo(job.started, "RUN %d; %s; %d; ./a".formatted(job.id, job.user, job.cores));
            case SWF -> add(Kind.DETAIL, "%d 0 5 50 1 -1 -1 1 600 -1 2 4 -1 -1 -1 -1 -1 -1".formatted(job.id));
        }
    }

    private String sacct(final Job job, final String id, final String state, final int cores) {
        final boolean ran = !state.startsWith("CANCELLED");
        return String.join(
                "|",
                id,
                local(job.submitted),
                local(ran ? job.started : job.ended),
                state.equals("RUNNING") ? "Unknown" : local(job.ended),
                state,
                "0:0",
                ran ? "n1" : "None assigned",
                ran ? "cpu=" + cores + ",gres/gpu:a100=2,node=1" : "",
                "cpu=8",
                "Partition_Limit",
                job.user,
                "a/b c",
                "main",
                "x|y");
    }

    private String local(final Instant time) {
        return LocalDateTime.ofInstant(time, zone).toString().replaceFirst("T(\\d\\d:\\d\\d)$", "T$1:00");
    }

    private static String pbs(final char type, final String id, final Job job) {
        return "03/01/2026 09:45:00;%s;%s;user=%s group=g account=\"a b/c\" project=_pbs_project_default jobname=x queue=q"
                        .formatted(type, id, job.user)
                + " ctime=%d start=%d Resource_List.ncpus=%d end=%d Exit_status=0 run_count=1"
                        .formatted(
                                job.submitted.getEpochSecond(),
                                job.started.getEpochSecond(),
                                job.cores,
                                job.ended.getEpochSecond());
    }

    private static String torque(final Job job) {
        return "03/01/2026 09:45:00;E;%d.srv;user=%s group=g account=a b/c jobname=my run queue=q ctime=%d start=%d"
                        .formatted(job.id, job.user, job.submitted.getEpochSecond(), job.started.getEpochSecond())
                + " exec_host=n1/0-%d Resource_List.nodes=1:ppn=%d end=%d Exit_status=0"
                        .formatted(job.cores - 1, job.cores, job.ended.getEpochSecond());
    }

    /** Requested are 1 to 64 slots, and the record has the fields of OpenLava, or of LSF 9.1 and later. */
    private String lsf(final Job job, final long started) {
        final String hosts = started == 0
                ? "0"
                : random.nextBoolean()
                        ? "1 \"" + job.cores + "*n1\""
                        : job.cores
                                + IntStream.range(0, job.cores)
                                        .mapToObj(slot -> " \"n" + slot % 3 + "\"")
                                        .collect(Collectors.joining());
        return "\"JOB_FINISH\" \"10.1\" %d %d 1 2 1 %d 0 0 %d \"%s\" \"q\" \"\" \"\" \"\" \"h\" \"\" \"\" \"\" \"\" \"f\" 0 %s"
                        .formatted(
                                job.ended.getEpochSecond(),
                                job.id,
                                job.submitted.getEpochSecond(),
                                started,
                                job.user,
                                hosts)
                + " 64 1.0 \"x\" \"say \"\"hi\"\"\"" + " -1".repeat(19) + " \"\" \"a b/c\" 0 64"
                + (random.nextBoolean()
                        ? " \"\" 0 1 1 \"\" \"\""
                        : " \"\" \"\" 0 1 0 \"\" \"\" \"\" \"\" 0 \"\" 0 \"\" -1 \"\" \"\" \"\" \"\" -1 \"\" \"\" 6160 \"\" 0 \"\" \"\""
                                + " 1 1042 \"num=1\" 1 n1 1 0 1 1 3600 0 0 \"rusage[mem=100]\" \"\" -1");
    }

    private void condor(final Job job, final List<String> end, final boolean ran) {
        add(Kind.DETAIL, "ClusterId = " + job.id);
        add(Kind.DETAIL, "ProcId = 0");
        if (!job.user.isEmpty()) {
            add(Kind.DETAIL, "Owner = \"" + job.user + "\"");
        }
        add(Kind.DETAIL, "AcctGroup = \"a b/c\"");
        add(Kind.DETAIL, "QDate = " + job.submitted.getEpochSecond());
        if (ran) {
            add(Kind.DETAIL, "JobCurrentStartDate = " + job.started.getEpochSecond());
        }
        add(Kind.DETAIL, "RequestCpus = " + job.cores);
        end.forEach(line -> add(Kind.DETAIL, line));
    }

    private void cleo(final Instant time, final String event) {
        add(Kind.DETAIL, cleoLine(time, event));
    }

    private String cleoLine(final Instant time, final String event) {
        final DateTimeFormatter form = DateTimeFormatter.ofPattern("EEE MMM d HH:mm:ss uuuu", Locale.ROOT);
        return "[" + form.format(LocalDateTime.ofInstant(time, zone)) + "] main    :" + event;
    }
}
