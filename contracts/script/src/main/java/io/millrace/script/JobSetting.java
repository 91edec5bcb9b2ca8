package io.millrace.script;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The meaning of an option, independent of the workload manager. */
public sealed interface JobSetting {

    record Name(String name) implements JobSetting {}

    /** Total processes, each with {@link CoresPerTask} cores (default 1): tasks of Slurm, slots of LSF, {@code procs} of PBS. */
    record Cores(int count) implements JobSetting {}

    record Nodes(int count) implements JobSetting {}

    record TasksPerNode(int count) implements JobSetting {}

    record CoresPerTask(int count) implements JobSetting {}

    record TasksPerGpu(int count) implements JobSetting {}

    record CoresPerGpu(int count) implements JobSetting {}

    /**
     * {@code select} or {@code nodes} of PBS: chunks of cores, each on one node.
     *
     * @param separateNodes whether each chunk needs a separate node
     */
    record Chunks(List<Chunk> chunks, boolean separateNodes) implements JobSetting {
        public Chunks {
            chunks = List.copyOf(chunks);
        }
    }

    /**
     * @param tasks processes per chunk; 0 if not specified
     * @param memoryMib memory per chunk; 0 if not specified
     * @param other other requirements of each chunk by resource name; a property of Torque has the value {@code ""}
     */
    record Chunk(int count, int cores, int tasks, long memoryMib, int gpus, Map<String, String> other) {
        public Chunk {
            other = Collections.unmodifiableMap(new LinkedHashMap<>(other));
        }

        /** PBS Pro starts one process per chunk by default. */
        public int processes() {
            return Math.max(1, tasks);
        }
    }

    /** @param separateNodes whether each chunk needs a separate node; otherwise all share one */
    record Spread(boolean separateNodes) implements JobSetting {}

    record Memory(long mib, Per per) implements JobSetting {}

    /** @param type GPU type; null for any */
    record Gpus(int count, Per per, @Nullable String type) implements JobSetting {}

    enum Per {
        JOB,
        NODE,
        TASK,
        CORE,
        GPU,
        /** On LSF, what the cluster has configured: each host, or each slot ({@code RESOURCE_RESERVE_PER_TASK}). */
        HOST_OR_SLOT
    }

    /** @param limit null if unlimited */
    record Walltime(@Nullable Duration limit) implements JobSetting {}

    /** @param names in order of preference; Millrace uses the first */
    record Partition(List<String> names) implements JobSetting {
        public Partition {
            names = List.copyOf(names);
        }
    }

    /** The clusters that may run the job. Millrace applies them; no workload manager gets the option. */
    record Clusters(List<String> names) implements JobSetting {
        public Clusters {
            names = List.copyOf(names);
        }
    }

    record Project(String name) implements JobSetting {}

    /** The job is not placed until its owner releases it. */
    record Hold() implements JobSetting {}

    /** @param path absolute, or relative to the directory of the submission */
    record WorkingDirectory(String path) implements JobSetting {

        /** @param submission absolute path */
        public String in(final String submission) {
            return path.startsWith("/") ? path : submission + "/" + path;
        }
    }

    record Output(String path) implements JobSetting {}

    record Error(String path) implements JobSetting {}

    record Input(String path) implements JobSetting {}

    /** @param maxRunning how many tasks may run at once; 0 for all */
    record Array(List<Range> ranges, int maxRunning) implements JobSetting {
        public Array {
            ranges = List.copyOf(ranges);
        }
    }

    record Range(int first, int last, int step) {}

    /** @param all whether all conditions must be met; otherwise one is enough */
    record Dependency(List<After> after, boolean all) implements JobSetting {
        public Dependency {
            after = List.copyOf(after);
        }
    }

    /** @param job local id or name of the other job as written; empty for {@link When#SINGLETON} */
    record After(When when, String job, boolean byName) {}

    enum When {
        STARTED,
        OK,
        NOT_OK,
        ENDED,
        /** Of arrays: the task with the same index ended well. */
        CORRESPONDING,
        /** No other job with this name and owner is running. */
        SINGLETON
    }

    /** @param to recipient; empty for the owner */
    record Mail(List<MailEvent> on, String to) implements JobSetting {
        public Mail {
            on = List.copyOf(on);
        }
    }

    enum MailEvent {
        BEGIN,
        END,
        FAIL,
        REQUEUE,
        NONE
    }

    /** Arguments of the script. */
    record Arguments(List<String> words) implements JobSetting {
        public Arguments {
            words = List.copyOf(words);
        }
    }

    /**
     * @param set variables with their values
     * @param copied names of variables to copy from the submitting shell
     * @param all whether to copy all variables of the submitting shell
     * @param excluded names of variables that are not copied with all others
     */
    record Environment(Map<String, String> set, List<String> copied, boolean all, List<String> excluded)
            implements JobSetting {
        public Environment {
            set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
            copied = List.copyOf(copied);
            excluded = List.copyOf(excluded);
        }

        public Environment(final Map<String, String> set, final List<String> copied, final boolean all) {
            this(set, copied, all, List.of());
        }
    }

    record Rerunnable(boolean rerunnable) implements JobSetting {}

    /**
     * LSF has two options for it; in each of them the other value is null.
     *
     * @param signal name without SIG, or a number
     * @param before time before the walltime limit
     * @param shellOnly whether only the process of the script gets the signal
     */
    record SignalBefore(@Nullable String signal, @Nullable Duration before, boolean shellOnly) implements JobSetting {}

    /** A required node property, in the syntax of the script. */
    record Feature(String constraint) implements JobSetting {}

    record Exclusive(boolean exclusive) implements JobSetting {}

    record Licence(String name, int count) implements JobSetting {}

    /**
     * A begin time on the clock of the cluster. A null component is taken from the day of the submission.
     *
     * @param original as written, for the dialect of the script
     * @param minute minute of the hour; null with all other components if only {@code original} is known, as for {@code now+1hour}
     */
    record BeginTime(
            String original,
            @Nullable Integer year,
            @Nullable Integer month,
            @Nullable Integer day,
            @Nullable Integer hour,
            @Nullable Integer minute,
            int second)
            implements JobSetting {}

    /** {@code -S} of PBS and {@code -L} of LSF: the interpreter of a script without a {@code #!} line. */
    record Shell(String path) implements JobSetting {}

    /** Quality of service (QOS) of Slurm. */
    record QualityOfService(String name) implements JobSetting {}

    record Reservation(String name) implements JobSetting {}

    record Priority(int value) implements JobSetting {}

    /** Hosts that the job must, or must not, run on. */
    record Hosts(List<String> names, boolean allowed) implements JobSetting {
        public Hosts {
            names = List.copyOf(names);
        }
    }

    /**
     * An option that only its workload manager has.
     *
     * @param options words for the command line of that workload manager
     */
    record SystemSpecific(List<String> options) implements JobSetting {
        public SystemSpecific {
            options = List.copyOf(options);
        }
    }

    /** Millrace covers this itself, so the option is ignored. */
    record Ignored(String reason) implements JobSetting {}

    /** Millrace does not support this option on any workload manager. */
    record Unsupported(String reason) implements JobSetting {}
}
