package io.millrace.quota.domain.quota;

import io.millrace.model.Event;
import io.millrace.model.UserName;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * merges the quota file into the quotas in force. A quota from the file follows the file, also when its line is removed, until a
 * request changes it. Groups come from the file only.
 *
 * @param put quotas that the file adds or changes
 * @param groups groups that the file adds or changes
 * @param removed keys of quotas and groups whose lines were removed
 * @param overridden lines of the file that a request has overridden
 */
public record QuotaFileMerge(
        List<Quota> put, List<QuotaGroup> groups, List<String> removed, List<QuotaFileEntry> overridden) {

    /** The author of quotas from the file. */
    public static final UserName FILE = UserName.of("file");

    private static final String REASON = "from the quota file";

    public static QuotaFileMerge of(final QuotaFileContent file, final ActiveQuotas activeQuotas, final Instant now) {
        final List<Quota> put = new ArrayList<>();
        final List<QuotaFileEntry> kept = new ArrayList<>();
        final Set<String> named = new HashSet<>();
        for (final QuotaFileEntry entry : file.quotas()) {
            named.add(entry.key());
            final Quota inForce = activeQuotas.find(entry.holder(), entry.on());
            if (inForce == null) {
                put.add(quota(entry, now, 1));
            } else if (entry.matches(inForce)) {
                continue;
            } else if (inForce.author().equals(FILE)) {
                put.add(quota(entry, now, inForce.version() + 1));
            } else {
                kept.add(entry);
            }
        }
        file.groups().keySet().forEach(group -> named.add(group.toString()));
        return new QuotaFileMerge(put, groups(file, activeQuotas, now), removed(activeQuotas, named), kept);
    }

    /** The new and changed quotas and groups. */
    public List<Event> events() {
        return Stream.<Event>concat(groups.stream(), put.stream()).toList();
    }

    private static List<String> removed(final ActiveQuotas activeQuotas, final Set<String> named) {
        final Stream<String> quotas = activeQuotas.all().stream()
                .filter(quota -> quota.author().equals(FILE))
                .map(Quota::key);
        final Stream<String> groups = activeQuotas.groups().all().stream().map(QuotaGroup::key);
        return Stream.concat(quotas, groups)
                .filter(key -> !named.contains(key))
                .sorted()
                .toList();
    }

    private static List<QuotaGroup> groups(
            final QuotaFileContent file, final ActiveQuotas activeQuotas, final Instant now) {
        final List<QuotaGroup> groups = new ArrayList<>();
        file.groups().forEach((group, members) -> {
            final QuotaGroup inForce = activeQuotas.groups().group(group.toString());
            if (inForce == null || !inForce.members().equals(members)) {
                groups.add(group(group, members, now, inForce));
            }
        });
        groups.sort(Comparator.comparing(QuotaGroup::key));
        return groups;
    }

    private static QuotaGroup group(
            final QuotaHolder group,
            final Set<QuotaHolder> members,
            final Instant now,
            final @Nullable QuotaGroup inForce) {
        return new QuotaGroup(group, members, FILE, REASON, now, inForce == null ? 1 : inForce.version() + 1);
    }

    private static Quota quota(final QuotaFileEntry entry, final Instant now, final long version) {
        return Quota.of(entry.holder(), entry.on(), entry.cores(), entry.terms(), FILE, REASON, now, version);
    }
}
