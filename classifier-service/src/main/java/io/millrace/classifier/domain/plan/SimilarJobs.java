package io.millrace.classifier.domain.plan;

/** The history z of executed jobs, as stage psi needs it. */
@FunctionalInterface
public interface SimilarJobs {

    /** Without history. */
    SimilarJobs NONE = job -> new long[0];

    /**
     * The function gamma of the paper.
     *
     * @return for each class in the order of the model, how many executed jobs of the class have similar characteristics; an empty array
     *     if there is none at all. The caller does not change it.
     */
    long[] count(GivenDomains job);
}
