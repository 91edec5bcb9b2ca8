package io.millrace.submit.store.job;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A global job; {@code stopBody} is a stop that was asked for, whether or not it was carried out. */
@Entity
@Table(name = "global_job")
class GlobalJobRow extends PanacheEntityBase {

    @Id
    public String id;

    public String owner;
    public String state;

    @Column(name = "is_final")
    public boolean isFinal;

    /** 0 until migration-service has spoken of the job. */
    public long version;

    public String digest;
    public Instant submitted;
    public Instant since;
    public String body;

    @Column(name = "stop_body")
    public @Nullable String stopBody;
}
