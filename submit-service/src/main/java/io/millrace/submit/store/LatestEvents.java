package io.millrace.submit.store;

import io.millrace.model.ClusterId;
import io.millrace.model.Event;
import io.millrace.model.protocol.EventType;
import io.millrace.model.protocol.Topic;
import io.millrace.submit.domain.log.EventSerializer;
import io.millrace.submit.domain.log.LatestEvent;
import io.quarkus.hibernate.orm.panache.Panache;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The newest event per key of the compacted topics: entitlements, classes, plans, quotas, usage, transfers, nodes, partitions. */
@ApplicationScoped
public class LatestEvents {

    private final EventSerializer text;

    LatestEvents(final EventSerializer text) {
        this.text = text;
    }

    /** Stores the newest event of each key; null: the key was deleted. */
    public void put(final Map<LatestEvent.Key, @Nullable LatestEvent> newest) {
        final Map<LatestEvent.Key, LatestEvent> known = new LinkedHashMap<>();
        final List<LatestEvent.Key> deleted = new ArrayList<>();
        newest.forEach((key, fact) -> {
            if (fact == null) {
                deleted.add(key);
            } else {
                known.put(key, fact);
            }
        });
        Rows.upsert(
                "fact (topic, fact_key, type, about, cluster, written, body)",
                "type = values(type), about = values(about), cluster = values(cluster), written = values(written),"
                        + " body = values(body)",
                known.entrySet(),
                fact -> row(fact.getKey(), fact.getValue()));
        Rows.delete(
                "delete from fact where topic = ? and fact_key = ?",
                deleted,
                key -> Rows.values(key.topic().topicName(), key.key()));
    }

    private @Nullable Object[] row(final LatestEvent.Key key, final LatestEvent fact) {
        return Rows.values(
                key.topic().topicName(),
                key.key(),
                EventType.of(fact.event()).name(),
                fact.subject(),
                fact.cluster() == null ? null : fact.cluster().value(),
                fact.recordedAt(),
                text.write(fact.event()));
    }

    public <E extends Event> Optional<E> find(final Topic topic, final String key, final Class<E> type) {
        return LatestEventRow.<LatestEventRow>findByIdOptional(new LatestEventRow.Key(topic.topicName(), key))
                .map(row -> text.read(row.body, type));
    }

    /** Events about any of these jobs, users or clusters. */
    public <E extends Event> List<E> bySubject(final Collection<String> about, final Class<E> type) {
        return about.isEmpty()
                ? List.of()
                : read(LatestEventRow.list("about in ?1 and type = ?2", about, name(type)), type);
    }

    public <E extends Event> List<E> of(final ClusterId cluster, final Class<E> type) {
        return read(LatestEventRow.list("cluster = ?1 and type = ?2 order by key", cluster.value(), name(type)), type);
    }

    public <E extends Event> List<E> all(final Class<E> type) {
        return read(LatestEventRow.list("type = ?1 order by key", name(type)), type);
    }

    /** Deletes events about local jobs that left the queue, recorded before this instant; returns the number of rows. */
    public long forgetOrphansBefore(final Instant horizon) {
        return Panache.getEntityManager()
                .createQuery(
                        "delete from LatestEventRow f where f.type in :types and f.written < :horizon and f.about like '%@%'"
                                + " and not exists (select 1 from LocalJobRow j where j.key = f.about)")
                .setParameter("types", List.of("ENTITLEMENT", "CLASSIFIED", "PLAN"))
                .setParameter("horizon", horizon)
                .executeUpdate();
    }

    /** Deletes events about deleted global jobs; returns the number of rows. */
    public long forgetWithoutJob(final Instant horizon) {
        return Panache.getEntityManager()
                .createQuery(
                        "delete from LatestEventRow f where f.type in :types and f.written < :horizon and f.about not like '%@%'"
                                + " and not exists (select 1 from GlobalJobRow j where j.id = f.about)")
                .setParameter("types", List.of("CLASSIFIED", "PLAN", "TRANSFER"))
                .setParameter("horizon", horizon)
                .executeUpdate();
    }

    private <E extends Event> List<E> read(final List<LatestEventRow> rows, final Class<E> type) {
        return rows.stream().map(row -> text.read(row.body, type)).toList();
    }

    private static String name(final Class<? extends Event> type) {
        return Arrays.stream(EventType.values())
                .filter(line -> line.record() == type)
                .findFirst()
                .orElseThrow()
                .name();
    }
}
