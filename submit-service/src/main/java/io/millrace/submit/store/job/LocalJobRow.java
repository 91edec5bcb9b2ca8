package io.millrace.submit.store.job;

import io.millrace.model.job.JobStatus;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** A job in the queue of a cluster; {@code attempt} is null for a job that was submitted directly to the cluster. */
@Entity
@Table(name = "local_job")
class LocalJobRow extends PanacheEntityBase {

    @Id
    @Column(name = "job_key")
    public String key;

    public String cluster;
    public String owner;
    public JobStatus state;
    public int cores;
    public @Nullable String attempt;
    public String body;
}
