package io.millrace.testing.kept;

import io.millrace.testing.kept.domain.Job;
import jakarta.transaction.Transactional;

class SubmitJob {
    @Transactional
    Job submit() {
        return new Job("A");
    }
}
