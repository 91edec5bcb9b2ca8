package io.millrace.model.cluster;

/** Who holds a job. Millrace releases only its own holds (the last two). */
public enum HoldKind {
    /** The owner's own hold ({@code sbatch -H}, {@code qhold}): never lifted by Millrace. */
    USER,
    /** An operator's or the system's hold: never lifted by Millrace. */
    OPERATOR,
    /** A global job that is submitted but not yet released: its local id must be on the log first. */
    SUBMISSION,
    /** The gate of a directed cluster: the job waits for a start command. */
    ENTRY;

    /** For "held by …". */
    public String holder() {
        return switch (this) {
            case USER -> "its owner";
            case OPERATOR -> "an operator";
            case SUBMISSION -> "Millrace for its submission";
            case ENTRY -> "Millrace until its start";
        };
    }
}
