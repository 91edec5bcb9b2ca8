package io.millrace.model.cluster;

/** Whose hold keeps a job from starting. Millrace lifts only its own (the last two). */
public enum HoldKind {
    /** The owner's own hold ({@code sbatch -H}, {@code qhold}): never lifted by Millrace. */
    USER,
    /** An operator's or the system's hold: never lifted by Millrace. */
    OPERATOR,
    /** A global job handed in but not yet released: its local id must stand on the log first. */
    SUBMISSION,
    /** The gate of a directed cluster: the job waits for a start command. */
    ENTRY
}
