package io.millrace.submit.store.ledger;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** One posting of a ledger entry. */
@Entity
@Table(name = "ledger_line")
@IdClass(LedgerRow.Key.class)
class LedgerRow extends PanacheEntityBase {

    record Key(byte[] entry, int line) implements Serializable {

        @Override
        public boolean equals(final Object other) {
            return other instanceof Key(byte[] itsEntry, int itsLine)
                    && line == itsLine
                    && Arrays.equals(entry, itsEntry);
        }

        @Override
        public int hashCode() {
            return 31 * Arrays.hashCode(entry) + line;
        }
    }

    @Id
    public byte[] entry;

    @Id
    public int line;

    public Instant booked;
    public String kind;
    public String cluster;
    public String owner;

    /** Empty: the job has no project. */
    public String project;

    public String week;
    public String month;
    public String year;

    @Column(name = "rate_permille")
    public long ratePermille;

    public String debit;
    public String credit;

    @Column(name = "core_seconds")
    public long coreSeconds;

    @Column(name = "gpu_seconds")
    public long gpuSeconds;

    @Column(name = "job_key")
    public String jobKey;

    public int run;

    /** End of the run if the line was booked late. */
    public @Nullable Instant ended;

    @Column(name = "job_class")
    public @Nullable String jobClass;

    @Column(name = "class_permille")
    public long classPermille;
}
