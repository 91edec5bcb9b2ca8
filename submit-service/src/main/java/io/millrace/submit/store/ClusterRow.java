package io.millrace.submit.store;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** The newest revision marker of a cluster. */
@Entity
@Table(name = "cluster")
class ClusterRow extends PanacheEntityBase {

    @Id
    public String name;

    @Column(name = "recorded_at")
    public Instant recordedAt;

    public String body;
}
