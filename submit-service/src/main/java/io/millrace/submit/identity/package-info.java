/**
 * Verifies login tokens and signs submissions.
 *
 * <p>Decides: whether a token is valid. Reads: the public keys of the agents' login endpoints and the service's key pair. Publishes: its
 * public key in a file that agents read. The only algorithm is ES256.
 */
@NullMarked
package io.millrace.submit.identity;

import org.jspecify.annotations.NullMarked;
