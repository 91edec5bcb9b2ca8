/**
 * The broker and the database of a stack that needs no container.
 *
 * <p>Decides: how small both may be and still behave as the real ones, which they are.
 * Reads: a data folder and a port. Announces: one line "ready" with the address once connections are accepted.
 */
@NullMarked
package io.millrace.embedded;

import org.jspecify.annotations.NullMarked;
