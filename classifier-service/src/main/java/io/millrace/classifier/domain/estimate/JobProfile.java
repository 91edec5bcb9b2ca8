package io.millrace.classifier.domain.estimate;

/**
 * What run times are compared by.
 *
 * @param program name of the job or its program; empty if it is not known
 * @param requested_s requested walltime in seconds; 0: none
 * @param jobClass empty if the job has no class
 */
public record JobProfile(String user, String program, int cores, long requested_s, String jobClass) {

    JobProfile request() {
        return new JobProfile(user, program, cores, requested_s, "");
    }

    JobProfile userAndProgram() {
        return new JobProfile(user, program, 0, 0, jobClass);
    }

    JobProfile onlyUser() {
        return new JobProfile(user, "", 0, 0, "");
    }

    JobProfile onlyClass() {
        return new JobProfile("", "", 0, 0, jobClass);
    }
}
