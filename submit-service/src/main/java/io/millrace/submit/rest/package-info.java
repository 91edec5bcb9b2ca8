/**
 * The REST API: requests, responses, authentication and errors. Routes are in packages by subject.
 *
 * <p>Decides nothing. Reads: requests with a bearer token and JSON of at most 1 MiB. Publishes: responses of the use cases. Errors
 * are problem details (RFC 9457) with field and remedy. The public contract is {@code docs/openapi.yaml}.
 */
@NullMarked
package io.millrace.submit.rest;

import org.jspecify.annotations.NullMarked;
