package io.millrace.submit.store.job;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;

/** Relates a command to a job that it is about. */
@Entity
@Table(name = "command_about")
@IdClass(CommandSubjectRow.Key.class)
class CommandSubjectRow extends PanacheEntityBase {

    record Key(String about, String command) implements Serializable {}

    @Id
    public String about;

    @Id
    public String command;

    public Instant noted;
}
