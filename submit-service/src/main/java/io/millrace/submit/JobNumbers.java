package io.millrace.submit;

/** The numbers of jobs and batches. No number is given twice in a centre, whichever instance gives it. */
public interface JobNumbers {

    /**
     * The next number of this instance.
     *
     * @throws io.millrace.submit.domain.RequestRefused (unavailable) if the log does not answer
     */
    long next();
}
