package io.millrace.submit.store.job;

import io.millrace.model.job.JobStatus;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.hibernate.annotations.DynamicUpdate;
import org.jspecify.annotations.Nullable;

/** A global job; {@code stopBody} is the first stop request, whether executed or not. */
@Entity
@DynamicUpdate // a change of the state alone does not write the body
@Table(name = "global_job")
class GlobalJobRow extends PanacheEntityBase {

    @Id
    public String id;

    public long number;

    /** The index in the batch; null for a job that was submitted alone. */
    public @Nullable Integer task;

    public String owner;
    public JobStatus state;
    public String stage;

    @Column(name = "is_final")
    public boolean isFinal;

    /** 0 until migration-service publishes the job. */
    public long version;

    public String digest;
    public Instant submitted;
    public Instant since;
    public String body;

    @Column(name = "stop_body")
    public @Nullable String stopBody;
}
