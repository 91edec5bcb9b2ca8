package io.millrace.script;

import org.jspecify.annotations.Nullable;

/** The kinds of workload managers that a script can land on. */
public enum WlmType {
    SLURM("Slurm", Dialect.SLURM),
    /** PBS Pro and today's OpenPBS. */
    PBSPRO("PBS Pro", Dialect.PBS),
    /** Torque and OpenPBS 2.3. */
    TORQUE("Torque", Dialect.PBS),
    LSF("LSF", Dialect.LSF),
    /** The embedded one. */
    LOCAL("the embedded workload manager", null);

    private final String displayName;
    private final @Nullable Dialect dialect;

    WlmType(final String words, final @Nullable Dialect dialect) {
        this.displayName = words;
        this.dialect = dialect;
    }

    /** The dialect it reads by itself; null if it has none. */
    public @Nullable Dialect dialect() {
        return dialect;
    }

    /** Its name for people. */
    public String displayName() {
        return displayName;
    }
}
