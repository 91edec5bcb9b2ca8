/**
 * How a cluster joins by itself: an operator makes an invitation, the agent presents it once, and gets what it needs. The account at the broker
 * is made by another process ({@code millrace-setup enrol}), because this service has no right to make accounts. It reads requests and
 * writes answers in the folder {@code millrace.submit.join-dir}.
 */
@NullMarked
package io.millrace.submit.joining;

import org.jspecify.annotations.NullMarked;
