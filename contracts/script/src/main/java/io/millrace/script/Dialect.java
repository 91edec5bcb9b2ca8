package io.millrace.script;

/** The directive dialect of a line. PBS Pro and Torque share a dialect. */
public enum Dialect {
    SLURM("#SBATCH", "Slurm"),
    PBS("#PBS", "PBS"),
    LSF("#BSUB", "LSF");

    private final String prefix;
    private final String displayName;

    Dialect(final String prefix, final String words) {
        this.prefix = prefix;
        this.displayName = words;
    }

    /** The name to display. */
    public String displayName() {
        return displayName;
    }

    /** The prefix of a directive line. */
    public String prefix() {
        return prefix;
    }
}
