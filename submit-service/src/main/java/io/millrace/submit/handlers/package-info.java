/**
 * Brings events to what the site attached: reads the handlers file, posts to webhooks, runs programs, repeats, pauses.
 *
 * <p>Decides nothing that a cluster would notice. Whatever happens here happens on threads of its own, one handler beside the other.
 */
@NullMarked
package io.millrace.submit.handlers;

import org.jspecify.annotations.NullMarked;
