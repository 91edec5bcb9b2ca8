/**
 * Who asks, and our word for it: login tokens are checked here, submissions are signed here.
 *
 * <p>Decides: whether a token is believed. Reads: the public keys of the agents' login endpoints, our own key. Announces: our public
 * key in a file that agents read. One algorithm on both sides: ES256; a token that names another is refused whatever it says.
 */
@NullMarked
package io.millrace.submit.identity;

import org.jspecify.annotations.NullMarked;
