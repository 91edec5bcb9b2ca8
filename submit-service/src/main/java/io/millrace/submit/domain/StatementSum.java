package io.millrace.submit.domain;

import io.millrace.model.policy.ProcessorTime;

/**
 * What a user's runs for a project cost on a cluster within a period.
 *
 * @param project empty: jobs that named none
 * @param runs how many were charged
 */
public record StatementSum(
        String user, String project, String cluster, long runs, ProcessorTime charged, ProcessorTime refunded) {

    /** What the user bears. */
    public ProcessorTime cost() {
        return charged.minus(refunded);
    }
}
