/**
 * Who may use how much: the pure core.
 *
 * <p>Decides the right of every job (guaranteed or borrowed) and who gives way to whom, by the rules of
 * {@code docs/guide/quota.md}, and the priority of each that waits, by of {@code docs/guide/priority.md}. Reads a cluster as
 * assumed, the quotas in force and the answers to its own commands. Announces entitlements, usage, reclaims, and for each reclaim that
 * is not possible a veto with its figures.
 */
@NullMarked
package io.millrace.quota.domain;

import org.jspecify.annotations.NullMarked;
