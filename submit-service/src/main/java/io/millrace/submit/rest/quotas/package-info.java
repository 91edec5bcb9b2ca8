/**
 * Routes for quotas.
 */
@NullMarked
package io.millrace.submit.rest.quotas;

import org.jspecify.annotations.NullMarked;
