package io.millrace.submit.store;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;

/** The next offset of a partition. */
@Entity
@Table(name = "projection_offset")
@IdClass(OffsetRow.Key.class)
class OffsetRow extends PanacheEntityBase {

    record Key(String topic, int partition) implements Serializable {}

    @Id
    public String topic;

    @Id
    @Column(name = "partition_no")
    public int partition;

    /** The first offset that is not projected yet. */
    @Column(name = "next_offset")
    public long next;
}
