package io.millrace.agent.wlm;

import io.millrace.model.JobKey;
import java.nio.file.Path;

/** Knows where the application of a job leaves the marker file of a checkpoint. */
public interface Checkpointing {

    /** The directory the job was submitted to run in. */
    Answer<Path> directory(JobKey job);
}
