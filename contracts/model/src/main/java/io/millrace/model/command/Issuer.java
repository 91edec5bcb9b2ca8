package io.millrace.model.command;

/** The services that may issue commands; broker ACLs say the same. */
public enum Issuer {
    QUOTA,
    BACKFILL,
    MIGRATION,
    TRANSFER,
    /** Asks for dry runs alone. */
    SUBMIT
}
