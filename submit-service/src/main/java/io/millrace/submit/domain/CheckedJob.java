package io.millrace.submit.domain;

import io.millrace.model.ClusterId;
import io.millrace.model.job.JobSpec;
import org.jspecify.annotations.Nullable;

/** A submission that can be a job. */
public record CheckedJob(
        JobSpec spec,
        ClusterId source,
        String directory,
        @Nullable ClusterId target) {}
