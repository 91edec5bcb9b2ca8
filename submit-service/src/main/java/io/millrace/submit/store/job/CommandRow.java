package io.millrace.submit.store.job;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** An issued command. */
@Entity
@Table(name = "command")
class CommandRow extends PanacheEntityBase {

    @Id
    public String id;

    public Instant issued;
    public String body;
}
