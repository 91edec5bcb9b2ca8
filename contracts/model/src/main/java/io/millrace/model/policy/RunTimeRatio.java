package io.millrace.model.policy;

import io.millrace.model.ClusterId;

/**
 * How long jobs run on a cluster, compared with another one: k_run of the target divided by k_run of the source (Bychkov et al. 2013).
 *
 * @param ratioPercent above 100 if jobs run longer on {@code to}
 * @param programs how many programs, each with the same user and number of cores, ran on both clusters
 */
public record RunTimeRatio(ClusterId from, ClusterId to, int ratioPercent, int programs) {}
