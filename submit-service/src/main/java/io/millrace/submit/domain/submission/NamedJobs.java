package io.millrace.submit.domain.submission;

/** Finds jobs and batches by the numbers in requests. */
@FunctionalInterface
public interface NamedJobs {

    /**
     * The id of the job or batch that a number or an id names; an id is returned as it is.
     *
     * @throws IllegalArgumentException if there is no such job for the caller
     */
    String id(String named);
}
