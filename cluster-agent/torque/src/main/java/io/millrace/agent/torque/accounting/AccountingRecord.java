package io.millrace.agent.torque.accounting;

import io.millrace.agent.pbs.PbsId;
import io.millrace.agent.pbs.PbsTime;
import io.millrace.agent.wlm.LocalTimes;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A line of the accounting log: {@code 11/20/2026 13:36:00;E;326.vm;user=alice … ctime=1795181732 … Exit_status=271 …}.
 *
 * @param type {@code Q} queued, {@code S} started, {@code T} restarted from a checkpoint, {@code C} checkpointed, {@code R}
 *     requeued, {@code D} deleted on request, {@code A} aborted by the server, {@code E} ended
 * @param fields the {@code name=value} pairs
 */
record AccountingRecord(Instant at, char type, String id, Map<String, String> fields, String text) {

    private static final Set<String> FIRST_COUNTS = Set.of("user", "group", "account");

    AccountingRecord {
        fields = Map.copyOf(fields);
    }

    /**
     * Parses a line; empty if it is not a complete record, e.g. a last line that is being written.
     *
     * @param zone time zone of the server, used for the record's time
     */
    static Optional<AccountingRecord> read(final String line, final ZoneId zone) {
        final String[] part = line.split(";", 4);
        if (part.length < 4 || part[1].length() != 1 || !PbsId.isToken(part[2].strip())) {
            return Optional.empty();
        }
        final Instant at = PbsTime.accounting(part[0], zone);
        return at == null
                ? Optional.empty()
                : Optional.of(
                        new AccountingRecord(at, part[1].charAt(0), part[2].strip(), fields(part[3]), part[3].strip()));
    }

    /**
     * The {@code name=value} pairs of a record. Blanks are not quoted, so a word without {@code =} continues the value before it: an
     * account or a job name can contain them. The first {@code user}, {@code group} and {@code account} count, which precede everything
     * that a user chooses, and the last value of any other field.
     */
    static Map<String, String> fields(final String text) {
        final Map<String, String> fields = new HashMap<>();
        String name = "";
        final StringBuilder value = new StringBuilder();
        for (final String word : text.strip().split("\\s+")) {
            final int equals = word.indexOf('=');
            if (equals > 0) {
                put(fields, name, value.toString());
                name = word.substring(0, equals);
                value.setLength(0);
                value.append(word, equals + 1, word.length());
            } else {
                value.append(' ').append(word);
            }
        }
        put(fields, name, value.toString());
        return fields;
    }

    private static void put(final Map<String, String> fields, final String name, final String value) {
        if (FIRST_COUNTS.contains(name)) {
            fields.putIfAbsent(name, value);
        } else if (!name.isEmpty()) {
            fields.put(name, value);
        }
    }

    /** Records in the order of the log: in the hour that occurs twice at the end of summer time, the order shows which one it is. */
    static List<AccountingRecord> inOrder(final List<AccountingRecord> records, final ZoneId zone) {
        final List<AccountingRecord> ordered = new ArrayList<>(records.size());
        Instant previous = Instant.MIN;
        for (final AccountingRecord record : records) {
            previous = LocalTimes.notBefore(record.at, previous, zone);
            ordered.add(new AccountingRecord(previous, record.type, record.id, record.fields, record.text));
        }
        return ordered;
    }

    /** Whether this is about an array itself, which never runs: its tasks do. */
    boolean isOfArray() {
        return PbsId.in(id).map(PbsId::isArray).orElse(false);
    }

    String field(final String name) {
        return fields.getOrDefault(name, "");
    }

    @Nullable
    Instant time(final String field) {
        final String text = field(field);
        return text.matches("[1-9]\\d{0,11}") ? Instant.ofEpochSecond(Long.parseLong(text)) : null;
    }

    @Nullable
    Integer exitStatus() {
        final String text = field("Exit_status");
        return text.matches("-?\\d{1,9}") ? Integer.valueOf(text) : null;
    }
}
