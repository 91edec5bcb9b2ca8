/**
 * Routes for event handlers; operators only.
 */
@NullMarked
package io.millrace.submit.rest.handlers;

import org.jspecify.annotations.NullMarked;
