/**
 * Event handlers of a site: which events a handler receives, their target and how failed deliveries are
 * retried. Pure.
 */
@NullMarked
package io.millrace.submit.domain.handler;

import org.jspecify.annotations.NullMarked;
