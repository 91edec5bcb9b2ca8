package io.millrace.script;

import org.jspecify.annotations.Nullable;

/** The workload managers that a script can be translated for. */
public enum WlmType {
    SLURM("Slurm", Dialect.SLURM),
    /** PBS Pro and current OpenPBS. */
    PBSPRO("PBS Pro", Dialect.PBS),
    /** Torque and OpenPBS 2.3. */
    TORQUE("Torque", Dialect.PBS),
    LSF("LSF", Dialect.LSF),
    /** The local workload manager of the agent. */
    LOCAL("the local workload manager", null);

    private final String displayName;
    private final @Nullable Dialect dialect;

    WlmType(final String words, final @Nullable Dialect dialect) {
        this.displayName = words;
        this.dialect = dialect;
    }

    /** The dialect of its directives; null if it has none. */
    public @Nullable Dialect dialect() {
        return dialect;
    }

    /** The name to display. */
    public String displayName() {
        return displayName;
    }
}
