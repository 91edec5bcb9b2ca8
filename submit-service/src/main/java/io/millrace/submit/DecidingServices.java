package io.millrace.submit;

import io.millrace.submit.domain.job.ServiceProgress;
import java.util.List;

/** The services that decide about jobs. */
public interface DecidingServices {

    /** How up to date each of them is, by name. Answers from memory if it was read within the last seconds. */
    List<ServiceProgress> progress();

    /** Those that have not decided for more than a minute. */
    default List<ServiceProgress> stalled() {
        return progress().stream().filter(ServiceProgress::isStalled).toList();
    }
}
