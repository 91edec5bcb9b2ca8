package io.millrace.submit.store.job;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
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
    public String state;

    @Column(name = "local_state")
    public @Nullable String localState;

    public @Nullable String cluster;
    public Instant changed;
}
