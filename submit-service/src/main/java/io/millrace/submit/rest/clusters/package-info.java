/**
 * Routes for clusters, their queues and their schedules.
 */
@NullMarked
package io.millrace.submit.rest.clusters;

import org.jspecify.annotations.NullMarked;
