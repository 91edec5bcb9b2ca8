package io.millrace.submit.store;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The newest event of a key on a compacted topic. */
@Entity
@Table(name = "fact")
@IdClass(LatestEventRow.Key.class)
class LatestEventRow extends PanacheEntityBase {

    record Key(String topic, String key) implements Serializable {}

    @Id
    public String topic;

    @Id
    @Column(name = "fact_key")
    public String key;

    /** Name of the constant in {@code EventType}. */
    public String type;

    public String about;
    public @Nullable String cluster;
    public Instant written;
    public String body;
}
