package io.millrace.submit.store.job;

import io.millrace.model.job.JobStatus;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A change of a global job. */
@Entity
@Table(name = "job_change")
class JobChangeRow extends PanacheEntityBase {

    @Id
    public long seq;

    public String job;
    public String owner;
    public JobStatus state;

    public String stage;

    public @Nullable String cluster;
    public Instant changed;
}
