package io.millrace.submit.store.job;

import io.millrace.model.job.JobStatus;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Converter;

/** Stores states by the names that users know. */
@Converter(autoApply = true)
class StateConverter implements AttributeConverter<JobStatus, String> {

    @Override
    public String convertToDatabaseColumn(final JobStatus state) {
        return state.word();
    }

    @Override
    public JobStatus convertToEntityAttribute(final String word) {
        return JobStatus.named(word);
    }
}
