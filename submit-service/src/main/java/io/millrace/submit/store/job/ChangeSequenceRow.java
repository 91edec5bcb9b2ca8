package io.millrace.submit.store.job;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** The counter of the job change feed. */
@Entity
@Table(name = "feed")
class ChangeSequenceRow extends PanacheEntityBase {

    static final int ONLY = 1;

    @Id
    public int id;

    public long last;
}
