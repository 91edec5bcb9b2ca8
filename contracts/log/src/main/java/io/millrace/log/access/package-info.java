/**
 * Who may do what at the broker: one table, from which the access lists of the embedded broker, the commands and objects for a site's own
 * broker, and the page of the guide are made (ADR 58).
 */
@NullMarked
package io.millrace.log.access;

import org.jspecify.annotations.NullMarked;
