/**
 * Measurements of single parts, with the classes that the parts run: polls of a full queue, copies between hosts, a growing ledger, the topics of the log.
 */
@NullMarked
package io.millrace.lab.parts;

import org.jspecify.annotations.NullMarked;
