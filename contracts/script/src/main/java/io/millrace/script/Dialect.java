package io.millrace.script;

/** Whose directives a line holds. PBS Pro and the classic line share theirs. */
public enum Dialect {
    SLURM("#SBATCH", "Slurm"),
    PBS("#PBS", "PBS"),
    LSF("#BSUB", "LSF");

    private final String prefix;
    private final String words;

    Dialect(final String prefix, final String words) {
        this.prefix = prefix;
        this.words = words;
    }

    /** Its name for people. */
    public String words() {
        return words;
    }

    /** What a directive's line begins with. */
    public String prefix() {
        return prefix;
    }
}
