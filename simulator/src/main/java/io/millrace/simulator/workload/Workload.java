package io.millrace.simulator.workload;

import io.millrace.simulator.swf.SwfJob;
import java.util.List;

/** A model that generates jobs. */
public interface Workload {

    /** The jobs in order of submission, numbered from 1. */
    List<SwfJob> jobs(long seed);
}
