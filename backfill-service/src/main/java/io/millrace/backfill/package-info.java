/**
 * backfill-service: what starts when on the clusters that Millrace directs.
 *
 * <p>Decides starts, in order and by backfill. Reads clusters, commands and their answers, and entitlements. Announces starts, for
 * every waiting job its place, predicted start and why it waits, and for every revision that it has looked at it.
 */
@NullMarked
package io.millrace.backfill;

import org.jspecify.annotations.NullMarked;
