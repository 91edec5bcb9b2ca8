package io.millrace.model.command;

/** Why a command was refused. */
public enum Refusal {
    /** A precondition does not hold on the live cluster. */
    STALE,
    /** It arrived after its validity. */
    EXPIRED,
    /** The signature does not cover it, the owner is not allowed here, or the issuer may not send it. */
    NOT_PERMITTED,
    /** This workload manager or this version of the agent cannot do it. */
    UNSUPPORTED
}
