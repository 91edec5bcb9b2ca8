package io.millrace.submit.domain.job;

import io.millrace.model.ClusterId;
import io.millrace.model.job.JobSpec;
import org.jspecify.annotations.Nullable;

/** A validated job request. */
public record ValidJob(
        JobSpec spec,
        ClusterId source,
        String directory,
        @Nullable ClusterId target) {}
