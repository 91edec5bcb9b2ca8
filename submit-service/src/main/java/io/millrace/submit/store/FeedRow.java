package io.millrace.submit.store;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** The one counter of the feed of changes. */
@Entity
@Table(name = "feed")
class FeedRow extends PanacheEntityBase {

    static final int ONLY = 1;

    @Id
    public int id;

    public long last;
}
