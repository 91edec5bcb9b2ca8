package io.millrace.model.cluster;

/** Who starts the jobs of a cluster. */
public enum Control {
    /** Millrace decides every start: jobs enter held. */
    DIRECTED,
    /** The local scheduler starts jobs; Millrace tunes what that scheduler offers. */
    NATIVE
}
