package io.millrace.script;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an option means, whatever system it was written for. */
public sealed interface JobSetting {

    record Name(String name) implements JobSetting {}

    /** Processes in all, each of {@link CoresPerTask} cores (one if nothing is said): Slurm's tasks, LSF's slots, PBS' {@code ncpus}. */
    record Cores(int count) implements JobSetting {}

    record Nodes(int count) implements JobSetting {}

    record TasksPerNode(int count) implements JobSetting {}

    record CoresPerTask(int count) implements JobSetting {}

    /**
     * PBS' {@code select}, or its {@code nodes}: chunks of cores, each on one node.
     *
     * @param separateNodes whether no two of them may share a node
     */
    record Chunks(List<Chunk> chunks, boolean separateNodes) implements JobSetting {
        public Chunks {
            chunks = List.copyOf(chunks);
        }
    }

    /**
     * @param tasks processes in each of these chunks; 0 if not said
     * @param memory_mib in each chunk; 0 if not said
     * @param other what else each chunk must have, by resource name; a bare property of the classic line has the value {@code ""}
     */
    record Chunk(int count, int cores, int tasks, long memory_mib, int gpus, Map<String, String> other) {
        public Chunk {
            other = Collections.unmodifiableMap(new LinkedHashMap<>(other));
        }
    }

    /** @param separateNodes whether each chunk must have a node of its own, or all must share one */
    record Spread(boolean separateNodes) implements JobSetting {}

    record Memory(long mib, Per per) implements JobSetting {}

    /** @param type the kind of GPU, null for any */
    record Gpus(int count, Per per, @Nullable String type) implements JobSetting {}

    enum Per {
        JOB,
        NODE,
        TASK,
        CORE
    }

    /** @param limit null: unlimited */
    record Walltime(@Nullable Duration limit) implements JobSetting {}

    /** @param names in order of preference; Millrace takes the first */
    record Partition(List<String> names) implements JobSetting {
        public Partition {
            names = List.copyOf(names);
        }
    }

    record Project(String name) implements JobSetting {}

    record Output(String path) implements JobSetting {}

    record Error(String path) implements JobSetting {}

    /** @param maxRunning how many tasks may run at a time; 0 means all */
    record Array(List<Range> ranges, int maxRunning) implements JobSetting {
        public Array {
            ranges = List.copyOf(ranges);
        }
    }

    record Range(int first, int last, int step) {}

    /** @param all whether every one must hold; else one is enough */
    record Dependency(List<After> after, boolean all) implements JobSetting {
        public Dependency {
            after = List.copyOf(after);
        }
    }

    /** @param job the local id or name of the other job as it was written; empty for {@link When#SINGLETON} */
    record After(When when, String job, boolean byName) {}

    enum When {
        STARTED,
        OK,
        NOT_OK,
        ENDED,
        /** No other job of this name and user runs. */
        SINGLETON
    }

    /** @param to empty: the owner */
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

    /**
     * @param set variables with their values
     * @param copied names whose value should come from where the job is submitted
     * @param all whether everything there should come along
     */
    record Environment(Map<String, String> set, List<String> copied, boolean all) implements JobSetting {
        public Environment {
            set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
            copied = List.copyOf(copied);
        }
    }

    record Rerunnable(boolean rerunnable) implements JobSetting {}

    /**
     * LSF says the two in two options; then one of them is null.
     *
     * @param signal name without SIG, or a number
     * @param before the end of the walltime
     * @param shellOnly whether only the script's own process gets it
     */
    record SignalBefore(@Nullable String signal, @Nullable Duration before, boolean shellOnly) implements JobSetting {}

    /** A property that each node must have, as the script's system writes it. */
    record Feature(String constraint) implements JobSetting {}

    record Exclusive(boolean exclusive) implements JobSetting {}

    record Licence(String name, int count) implements JobSetting {}

    /**
     * Not before this time of the cluster's clock. What is null is to be taken from the day it is handed in.
     *
     * @param original as it stands there, for the script's own system
     * @param minute of the hour; null with everything else where only {@code written} says it, as {@code now+1hour}
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

    /** PBS' {@code -S} and LSF's {@code -L}: what runs a script that names no interpreter itself. */
    record Shell(String path) implements JobSetting {}

    /** Slurm's quality of service. */
    record QualityOfService(String name) implements JobSetting {}

    record Reservation(String name) implements JobSetting {}

    record Priority(int value) implements JobSetting {}

    /** Hosts it must run on, or must not run on. */
    record Hosts(List<String> names, boolean allowed) implements JobSetting {
        public Hosts {
            names = List.copyOf(names);
        }
    }

    /**
     * Known and harmless, but only its own system has it.
     *
     * @param options what goes onto that system's command line
     */
    record SystemSpecific(List<String> options) implements JobSetting {
        public SystemSpecific {
            options = List.copyOf(options);
        }
    }

    /** Millrace itself decides this; nothing is lost. */
    record Ignored(String reason) implements JobSetting {}

    /** Millrace does not carry it out, on any system. */
    record Unsupported(String reason) implements JobSetting {}
}
