package io.millrace.quota.domain;

import io.millrace.model.UserName;
import io.millrace.model.policy.Quota;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * what the file says is in force until somebody sets that quota by a request; from then on requests alone change it. A quota
 * that came from the file follows the file, also when its line is gone.
 *
 * @param put quotas that the file brings or changes
 * @param removed keys of quotas that came from the file and are no longer in it
 * @param kept lines of the file that a request has overruled
 */
public record FileMerge(List<Quota> put, List<String> removed, List<QuotaFileEntry> kept) {

    /** The author of quotas from the file. */
    public static final UserName FILE = UserName.of("file");

    public static FileMerge of(final List<QuotaFileEntry> file, final QuotaBook book, final Instant now) {
        final List<Quota> put = new ArrayList<>();
        final List<QuotaFileEntry> kept = new ArrayList<>();
        final Set<String> named = new HashSet<>();
        for (final QuotaFileEntry entry : file) {
            named.add(entry.key());
            final Quota inForce = book.inForce(entry.user(), entry.on());
            if (inForce == null) {
                put.add(quota(entry, now, 1));
            } else if (inForce.cores() == entry.cores()) {
                continue;
            } else if (inForce.author().equals(FILE)) {
                put.add(quota(entry, now, inForce.version() + 1));
            } else {
                kept.add(entry);
            }
        }
        final List<String> removed = book.all().stream()
                .filter(quota -> quota.author().equals(FILE) && !named.contains(quota.key()))
                .map(Quota::key)
                .sorted()
                .toList();
        return new FileMerge(put, removed, kept);
    }

    private static Quota quota(final QuotaFileEntry entry, final Instant now, final long version) {
        return new Quota(entry.user(), entry.on(), entry.cores(), FILE, "from the quota file", now, version);
    }
}
