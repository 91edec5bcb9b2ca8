package io.millrace.agent.wlm.capability;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Submission;
import io.millrace.model.command.DryRunResult;

/** Can validate a submission without submitting it. */
public interface DryRunning {

    /** The command line and script that {@code submit} would use now. Nothing is submitted. */
    Answer<DryRunResult> dryRun(Submission submission);
}
