package io.millrace.cli.slurm;

import io.millrace.cli.text.LocalTimes;
import io.millrace.cli.text.WalltimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The fields of jobs in {@code squeue}, {@code sacct} and {@code sprio}: one table of names, letters, headings, widths and values (squeue(1),
 * sacct(1) of Slurm 22.05). Fields of Slurm for which Millrace has no value are known and empty, or have Slurm's word for it.
 */
enum SlurmField {
    JOB_ID("JobArrayID", 'i', "JOBID", "JobID", -12),
    RAW_ID("JobID", 'A', "JOBID", "JobIDRaw", -12),
    ARRAY_JOB_ID("ArrayJobID", 'F', "ARRAY_JOB_ID", null, 0),
    ARRAY_TASK_ID("ArrayTaskID", 'K', "ARRAY_TASK_ID", null, 0),
    NAME("Name", 'j', "NAME", "JobName", 10),
    USER("UserName", 'u', "USER", "User", 9),
    ACCOUNT("Account", 'a', "ACCOUNT", "Account", 10),
    PARTITION("Partition", 'P', "PARTITION", "Partition", 10),
    CLUSTER("Cluster", null, "CLUSTER", "Cluster", 10),
    STATE("State", 'T', "STATE", "State", 10),
    STATE_COMPACT("StateCompact", 't', "ST", null, 0),
    REASON("Reason", 'r', "REASON", "Reason", 22),
    REASON_LIST("ReasonList", 'R', "NODELIST(REASON)", null, 0),
    NODE_LIST("NodeList", 'N', "NODELIST", "NodeList", 15),
    BATCH_HOST("BatchHost", 'B', "EXEC_HOST", null, 0),
    NODES("NumNodes", 'D', "NODES", "NNodes", 8),
    ALLOC_NODES("AllocNodes", null, "ALLOC_NODES", "AllocNodes", 10),
    REQ_NODES(null, null, "", "ReqNodes", 8),
    CPUS("NumCPUs", 'C', "CPUS", "AllocCPUS", 10),
    N_CPUS(null, null, "", "NCPUS", 10),
    REQ_CPUS(null, null, "", "ReqCPUS", 8),
    TASKS("NumTasks", null, "TASKS", "NTasks", 8),
    MIN_CPUS("MinCPUs", 'c', "MIN_CPUS", null, 0),
    MEMORY("MinMemory", 'm', "MIN_MEMORY", "ReqMem", 10),
    TRES_PER_NODE("tres-per-node", 'b', "TRES_PER_NODE", null, 0),
    TRES_ALLOC("tres-alloc", null, "TRES_ALLOC", "AllocTRES", 10),
    REQ_TRES(null, null, "", "ReqTRES", 10),
    TIME_LIMIT("TimeLimit", 'l', "TIME_LIMIT", "Timelimit", 10),
    TIME_LIMIT_RAW(null, null, "", "TimelimitRaw", 12),
    TIME_USED("TimeUsed", 'M', "TIME", "Elapsed", 10),
    ELAPSED_RAW(null, null, "", "ElapsedRaw", 10),
    TIME_LEFT("TimeLeft", 'L', "TIME_LEFT", null, 0),
    SUBMIT("SubmitTime", 'V', "SUBMIT_TIME", "Submit", 19),
    ELIGIBLE("EligibleTime", null, "ELIGIBLE_TIME", "Eligible", 19),
    START("StartTime", 'S', "START_TIME", "Start", 19),
    END("EndTime", 'e', "END_TIME", "End", 19),
    EXIT_CODE("exit_code", null, "EXIT_CODE", "ExitCode", 8),
    DERIVED_EXIT_CODE("DerivedEC", null, "DERIVED_EC", "DerivedExitCode", 15),
    DEPENDENCY("Dependency", 'E', "DEPENDENCY", null, 0),
    PRIORITY("PriorityLong", 'Q', "PRIORITY", "Priority", 10),
    PRIORITY_SHARE("Priority", 'p', "PRIORITY", null, 0),
    NICE("Nice", 'y', "NICE", null, 0),
    RESTARTS("RestartCnt", null, "RESTART_COUNT", "Restarts", 8),
    WORK_DIR("WorkDir", 'Z', "WORK_DIR", "WorkDir", 20),
    COMMAND("Command", 'o', "COMMAND", null, 0),
    CPU_TIME(null, null, "", "CPUTime", 10),
    CPU_TIME_RAW(null, null, "", "CPUTimeRAW", 10),
    TOTAL_CPU(null, null, "", "TotalCPU", 10),
    MAX_RSS(null, null, "", "MaxRSS", 10),
    QOS("QOS", 'q', "QOS", "QOS", 10),
    COMMENT("Comment", 'k', "COMMENT", "Comment", 14),
    RESERVATION("Reservation", 'v', "RESERVATION", "Reservation", 20),
    FEATURES("Feature", 'f', "FEATURES", "Constraints", 19),
    LICENSES("Licenses", 'W', "LICENSES", null, 0),
    GROUP("GroupName", 'g', "GROUP", "Group", 9),
    UID("UserID", 'U', "UID", "UID", 6),
    GID("GroupID", 'G', "GROUP", "GID", 6),
    OVER_SUBSCRIBE("OverSubscribe", 'h', "OVER_SUBSCRIBE", null, 0),
    REQUESTED_NODES("ReqNodes", 'n', "REQ_NODES", null, 0),
    EXCLUDED_NODES("ExcNodes", 'x', "EXC_NODES", null, 0),
    SCHEDULED_NODES("SchedNodes", 'Y', "SCHEDNODES", null, 0),
    SCT("SCT", 'z', "S:C:T", null, 0),
    WCKEY("WCKey", 'w', "WCKEY", "WCKey", 10),
    CORE_SPEC("CoreSpec", 'X', "CORE_SPEC", null, 0),
    TEMPORARY_DISK("MinTmpDisk", 'd', "MIN_TMP_DISK", null, 0),
    CONTIGUOUS("Contiguous", 'O', "CONTIGUOUS", null, 0),
    SOCKETS("Sockets", 'H', "SOCKETS_PER_NODE", null, 0),
    CORES("Cores", 'I', "CORES_PER_SOCKET", null, 0),
    THREADS("Threads", 'J', "THREADS_PER_CORE", null, 0),
    AVE_RSS(null, null, "", "AveRSS", 10),
    MAX_VM_SIZE(null, null, "", "MaxVMSize", 10),
    AVE_VM_SIZE(null, null, "", "AveVMSize", 10),
    AVE_CPU(null, null, "", "AveCPU", 10),
    MIN_CPU(null, null, "", "MinCPU", 10),
    USER_CPU(null, null, "", "UserCPU", 10),
    SYSTEM_CPU(null, null, "", "SystemCPU", 10),
    SUSPENDED(null, null, "", "Suspended", 10),
    RESERVED(null, null, "", "Reserved", 10),
    PLANNED(null, null, "", "Planned", 10),
    MAX_DISK_READ(null, null, "", "MaxDiskRead", 12),
    MAX_DISK_WRITE(null, null, "", "MaxDiskWrite", 12),
    CONSUMED_ENERGY(null, null, "", "ConsumedEnergy", 14),
    USAGE_IN_TOTAL(null, null, "", "TRESUsageInTot", 14),
    USAGE_IN_MAX(null, null, "", "TRESUsageInMax", 14),
    ADMIN_COMMENT("admin_comment", null, "ADMIN_COMMENT", "AdminComment", 15),
    FLAGS(null, null, "", "Flags", 19),
    SUBMIT_LINE(null, null, "", "SubmitLine", 20),
    LAYOUT(null, null, "", "Layout", 9),
    ASSOC_ID("AssocID", null, "ASSOC_ID", "AssocID", 7),
    DB_INDEX(null, null, "", "DBIndex", -10);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** Name in {@code squeue -O}; null if it is no field of squeue. */
    final @Nullable String queueName;

    /** Letter in {@code squeue -o}. */
    final @Nullable Character letter;

    final String queueHeading;

    /** Name and heading in sacct; null if it is no field of sacct. */
    final @Nullable String accountName;

    /** Width in sacct; negative: left aligned. */
    final int width;

    SlurmField(
            final @Nullable String queueName,
            final @Nullable Character letter,
            final String queueHeading,
            final @Nullable String accountName,
            final int width) {
        this.queueName = queueName;
        this.letter = letter;
        this.queueHeading = queueHeading;
        this.accountName = accountName;
        this.width = width;
    }

    /** The text in squeue. */
    String queued(final SlurmJob job) {
        return switch (this) {
            case TIME_LIMIT -> clock(job.limit());
            case TIME_USED -> clock(job.elapsed());
            case TIME_LEFT -> clock(job.left());
            case RAW_ID -> job.array();
            case NODES, ALLOC_NODES -> Integer.toString(job.nodes());
            case CPUS, TASKS -> job.text("cores");
            case ACCOUNT, RESERVATION, FEATURES, LICENSES, COMMENT, DEPENDENCY, WCKEY, ADMIN_COMMENT ->
                otherwise(value(job), "(null)");
            case TRES_PER_NODE, UID, GID, GROUP, CORE_SPEC, OVER_SUBSCRIBE -> otherwise(value(job), "N/A");
            case SOCKETS, CORES, THREADS -> "*";
            case SCT -> "*:*:*";
            case MIN_CPUS -> "1";
            case TEMPORARY_DISK, CONTIGUOUS -> "0";
            case SUBMIT, ELIGIBLE, START, END -> otherwise(value(job), "N/A");
            default -> value(job);
        };
    }

    /** The text in sacct. */
    String accounted(final SlurmJob job) {
        return switch (this) {
            case SUBMIT, ELIGIBLE, START, END -> otherwise(value(job), "Unknown");
            default -> value(job);
        };
    }

    private String value(final SlurmJob job) {
        final boolean started = job.time("startedAt") != null;
        return switch (this) {
            case JOB_ID, RAW_ID -> job.id();
            case ARRAY_JOB_ID -> job.array();
            case ARRAY_TASK_ID ->
                job.tasks() != null
                        ? job.tasks()
                        : otherwise(job.view().hasNonNull("batch") ? job.text("index") : "", "N/A");
            case NAME, COMMAND -> job.text("name");
            case USER -> job.text("user");
            case ACCOUNT -> job.text("project");
            case PARTITION -> otherwise(job.text("partition"), "any");
            case CLUSTER -> otherwise(job.text("cluster"), "N/A");
            case STATE -> job.state().name();
            case STATE_COMPACT -> job.state().letters();
            case REASON -> job.reason();
            case REASON_LIST ->
                job.state() == SlurmState.PENDING || job.state().isFinished() && job.state() != SlurmState.COMPLETED
                        ? "(" + job.reason() + ")"
                        : job.text("cluster");
            case NODE_LIST -> started ? job.text("cluster") : "";
            case BATCH_HOST -> started ? job.text("cluster") : "n/a";
            case NODES, ALLOC_NODES -> started ? Integer.toString(job.nodes()) : "0";
            case REQ_NODES -> Integer.toString(job.nodes());
            case CPUS, N_CPUS -> started ? job.text("cores") : "0";
            case REQ_CPUS -> job.text("cores");
            case MEMORY -> job.view().path("memoryMib").asLong() == 0 ? "0" : job.text("memoryMib") + "M";
            case TRES_PER_NODE -> job.view().path("gpus").asInt() == 0 ? "" : "gres:gpu:" + job.text("gpus");
            case TRES_ALLOC -> started ? tres(job) : "";
            case REQ_TRES -> tres(job);
            case TIME_LIMIT -> WalltimeFormat.format(job.limit());
            case TIME_LIMIT_RAW -> Long.toString(job.limit().toMinutes());
            case TIME_USED -> WalltimeFormat.format(job.elapsed());
            case ELAPSED_RAW -> Long.toString(job.elapsed().toSeconds());
            case SUBMIT, ELIGIBLE -> date(job.time("submittedAt"));
            case START -> date(job.start());
            case END -> date(job.end());
            case EXIT_CODE -> job.exit();
            case DERIVED_EXIT_CODE, SUSPENDED -> this == SUSPENDED ? "00:00:00" : "0:0";
            case DEPENDENCY -> job.text("dependency");
            case PRIORITY, PRIORITY_SHARE -> otherwise(job.text("priority"), "0");
            case NICE -> Long.toString(-job.view().path("priority").asLong());
            case RESTARTS -> Integer.toString(job.view().path("preemptions").asInt());
            case WORK_DIR -> job.text("directory");
            case CPU_TIME -> WalltimeFormat.format(coreTime(job));
            case CPU_TIME_RAW -> Long.toString(coreTime(job).toSeconds());
            case TOTAL_CPU ->
                WalltimeFormat.format(Duration.ofSeconds(
                        job.view().path("used").path("cpuSeconds").asLong()));
            case MAX_RSS -> {
                final long bytes =
                        job.view().path("used").path("peakMemoryBytes").asLong();
                yield bytes == 0 ? "" : (bytes >> 10) + "K";
            }
            case QOS -> "normal";
            default -> "";
        };
    }

    private static String otherwise(final String text, final String other) {
        return text.isEmpty() ? other : text;
    }

    private static Duration coreTime(final SlurmJob job) {
        return job.elapsed().multipliedBy(job.view().path("cores").asLong());
    }

    static String tres(final SlurmJob job) {
        final long memory = job.view().path("memoryMib").asLong();
        final long gpus = job.view().path("gpus").asLong();
        return "billing=" + job.text("cores") + ",cpu=" + job.text("cores") + (gpus == 0 ? "" : ",gres/gpu=" + gpus)
                + (memory == 0 ? "" : ",mem=" + memory + "M") + ",node=" + job.nodes();
    }

    /** Local time as Slurm writes it; empty without a time. */
    static String date(final @Nullable Instant time) {
        return time == null ? "" : LocalTimes.of(time.toString());
    }

    /** {@code 1-02:03:04}, {@code 2:03:04} or {@code 3:04}. */
    static String clock(final Duration time) {
        if (time.toDays() > 0) {
            return WalltimeFormat.format(time);
        }
        return time.toHours() > 0
                ? String.format(Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
                : String.format(
                        Locale.ROOT,
                        "%d:%02d",
                        time.toMinutes(),
                        time.minus(MINUTE.multipliedBy(time.toMinutes())).toSeconds());
    }
}
