package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import java.nio.file.Path;

/** Knows where the application of a job leaves the marker file of a checkpoint. */
public interface ApplicationCheckpointing {

    /** The directory the job was submitted to run in. */
    Answer<Path> directory(JobKey job);
}
