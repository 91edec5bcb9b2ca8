package io.millrace.script;

/** Whose directives a line holds. PBS Pro and the classic line share theirs. */
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

    /** Its name for people. */
    public String displayName() {
        return displayName;
    }

    /** What a directive's line begins with. */
    public String prefix() {
        return prefix;
    }
}
