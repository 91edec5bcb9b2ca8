/** The clusters of the site, their queues and schedules, as the read model shows them. */
@NullMarked
package io.millrace.submit.clusters;

import org.jspecify.annotations.NullMarked;
