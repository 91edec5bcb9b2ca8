package io.millrace.agent.wlm;

import io.millrace.model.command.DryRunResult;

/** Can say how it would take a submission. */
public interface Rehearsing {

    /** The very command line and script that {@link WorkloadManager#submit} would use now; nothing is handed in. */
    Answer<DryRunResult> rehearse(Submission submission);
}
