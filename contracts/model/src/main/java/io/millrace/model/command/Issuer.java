package io.millrace.model.command;

/** The services that may issue commands; broker ACLs enforce the same list. */
public enum Issuer {
    QUOTA,
    BACKFILL,
    MIGRATION,
    TRANSFER,
    /** Issues dry runs, and changes of placed jobs that their owners request. */
    SUBMIT
}
