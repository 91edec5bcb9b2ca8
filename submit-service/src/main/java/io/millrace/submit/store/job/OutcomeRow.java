package io.millrace.submit.store.job;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;

/** The first {@code Begun} or the first answer of a cluster to a command. */
@Entity
@Table(name = "outcome")
@IdClass(OutcomeRow.Key.class)
class OutcomeRow extends PanacheEntityBase {

    record Key(String command, boolean isAnswer, String cluster) implements Serializable {}

    @Id
    public String command;

    @Id
    @Column(name = "is_answer")
    public boolean isAnswer;

    @Id
    public String cluster;

    @Column(name = "answered_at")
    public Instant answeredAt;

    public String body;
}
