package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.agent.wlm.WorkloadManager;
import io.millrace.model.command.DryRunResult;

/** Can say how it would take a submission. */
public interface DryRunning {

    /** The very command line and script that {@link WorkloadManager#submit} would use now; nothing is handed in. */
    Answer<DryRunResult> dryRun(Submission submission);
}
