/**
 * Delivers events to the webhooks and programs of the site, with retries.
 *
 * <p>Decides: when to retry, dead-letter or pause. Reads: the handlers file and its secrets. Handlers run on separate threads and do
 * not affect each other or the clusters.
 */
@NullMarked
package io.millrace.submit.handlers;

import org.jspecify.annotations.NullMarked;
