package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.model.JobKey;
import java.nio.file.Path;

/** Can locate the marker file that a job's application writes at a checkpoint. */
public interface ApplicationCheckpointing {

    /** The working directory of the job. */
    Answer<Path> directory(JobKey job);
}
