/** Measures the control plane of a running stack: rates, latencies, and the cost of a job in each part. */
@NullMarked
package io.millrace.lab.campaigns.plane;

import org.jspecify.annotations.NullMarked;
