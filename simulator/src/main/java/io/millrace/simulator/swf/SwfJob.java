package io.millrace.simulator.swf;

/**
 * One job of a trace.
 *
 * @param id field 1
 * @param submit_s field 2, seconds from the start of the log
 * @param run_s field 4, seconds
 * @param cores field 8 (requested processors), or field 5 (allocated processors) if unknown
 * @param requested_s field 9 (requested time), or the run time if unknown
 * @param user field 12, -1 if not known
 * @param application field 14 (executable), -1 if not known
 */
public record SwfJob(long id, long submit_s, long run_s, int cores, long requested_s, long user, long application) {

    /** Identifies similar jobs: user and application, if known; else user, cores and requested time. */
    public String likeness() {
        return application >= 0 ? user + "/" + application : user + "/" + cores + "/" + requested_s;
    }
}
