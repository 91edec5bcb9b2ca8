/**
 * Routes for global jobs: submit, dry run, list, explain, stop, and server-sent events.
 */
@NullMarked
package io.millrace.submit.rest.jobs;

import org.jspecify.annotations.NullMarked;
