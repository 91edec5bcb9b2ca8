package io.millrace.backfill.domain;

/**
 * What is kept for the first job that cannot start.
 *
 * @param head whose it is
 * @param shadow when its cores will be free at the latest; nobody who overtakes may delay that
 * @param extraCores free at that time beside the head
 */
public record Reservation(QueuedJob head, ShadowTime shadow, int extraCores) {}
