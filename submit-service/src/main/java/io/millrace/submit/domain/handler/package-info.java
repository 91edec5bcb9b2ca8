/**
 * Event handlers of a site: which events a handler receives, their target, how failed deliveries are retried, and the settings of
 * usage record files. Pure.
 */
@NullMarked
package io.millrace.submit.domain.handler;

import org.jspecify.annotations.NullMarked;
