/**
 * The REST API: routes, what they show, how a no looks.
 *
 * <p>Decides nothing. Reads: requests with a bearer token, JSON of at most 1 MiB. Announces: what the use cases answer; every error
 * is a problem (RFC 9457) that names the field and the remedy. The shapes here are the public contract, {@code docs/openapi.yaml}.
 */
@NullMarked
package io.millrace.submit.rest;

import org.jspecify.annotations.NullMarked;
