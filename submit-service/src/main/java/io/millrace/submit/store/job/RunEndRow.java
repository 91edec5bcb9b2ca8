package io.millrace.submit.store.job;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** An ended run, by its place on the log. */
@Entity
@Table(name = "run_end")
@IdClass(RunEndRow.Key.class)
class RunEndRow extends PanacheEntityBase {

    record Key(int partition, long offset) implements Serializable {}

    @Id
    @Column(name = "partition_no")
    public int partition;

    @Id
    @Column(name = "record_offset")
    public long offset;

    @Column(name = "job_key")
    public String jobKey;

    /** The global job it was a run of; null for a cluster's own job. */
    public @Nullable String job;

    /** Read from the body, by the database. */
    @Column(insertable = false, updatable = false)
    public String owner;

    /** Read from the body, by the database; null: none. */
    @Column(insertable = false, updatable = false)
    public @Nullable String project;

    /** Read from the key, by the database. */
    @Column(insertable = false, updatable = false)
    public String cluster;

    public Instant ended;
    public String body;
}
