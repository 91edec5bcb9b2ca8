package io.millrace.quota.files;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.millrace.model.ClusterId;
import io.millrace.model.quota.Quota;
import io.millrace.model.quota.QuotaGroup;
import io.millrace.model.quota.QuotaHolder;
import io.millrace.model.quota.QuotaPeriod;
import io.millrace.model.quota.QuotaTerms;
import io.millrace.quota.domain.quota.GroupTree;
import io.millrace.quota.domain.quota.QuotaFileContent;
import io.millrace.quota.domain.quota.QuotaFileEntry;
import io.millrace.quota.domain.quota.QuotaFileMerge;
import io.millrace.quota.domain.quota.QuotaRequests;
import io.millrace.sitefiles.InvalidEntryException;
import io.millrace.sitefiles.Shorthand;
import io.millrace.sitefiles.YamlFile;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the quotas of the site: {@code quotas: { cluster: { holder: cores } }} and {@code groups: { group: [ members ] }}. */
public final class QuotaFile {

    private QuotaFile() {}

    /** @throws IllegalArgumentException if the file cannot be read or has an error; names line and column */
    public static QuotaFileContent read(final Path path) {
        return YamlFile.read("quota file", path, Content.class, Content::convert);
    }

    private record Content(
            @Nullable Map<String, Map<String, QuotaLine>> quotas,
            @Nullable Map<String, List<QuotaHolder>> groups) {

        private QuotaFileContent convert() {
            final List<QuotaFileEntry> entries = new ArrayList<>();
            orEmpty(quotas)
                    .forEach((cluster, lines) -> orEmpty(lines)
                            .forEach((holder, line) -> entries.add(YamlFile.entry(
                                    () -> YamlFile.required(line, "cores").entry(cluster, holder),
                                    "quotas",
                                    cluster,
                                    holder))));
            return new QuotaFileContent(entries, tree());
        }

        /** Checks the tree after each group, so that the error names the group that breaks it. */
        private Map<QuotaHolder, Set<QuotaHolder>> tree() {
            final Map<QuotaHolder, Set<QuotaHolder>> tree = new LinkedHashMap<>();
            Objects.requireNonNullElse(groups, Map.<String, List<QuotaHolder>>of())
                    .forEach((name, members) -> {
                        final Set<QuotaHolder> distinct = new LinkedHashSet<>(YamlFile.required(members, name));
                        if (distinct.size() < members.size()) {
                            throw new InvalidEntryException(
                                    "a member is listed twice: remove one of them", "groups", name);
                        }
                        tree.put(
                                YamlFile.entry(() -> new QuotaHolder(QuotaHolder.Kind.GROUP, name), "groups", name),
                                distinct);
                        GroupTree.flaw(inTree(tree)).ifPresent(flaw -> {
                            throw new InvalidEntryException(flaw, "groups", name);
                        });
                    });
            return tree;
        }
    }

    /** The groups of the file. */
    public static List<QuotaGroup> groups(final QuotaFileContent content) {
        return inTree(content.groups());
    }

    private static List<QuotaGroup> inTree(final Map<QuotaHolder, Set<QuotaHolder>> tree) {
        return tree.entrySet().stream()
                .map(group -> new QuotaGroup(
                        group.getKey(), group.getValue(), QuotaFileMerge.FILE, "as read", Instant.EPOCH, 1))
                .toList();
    }

    private static <V> Map<String, V> orEmpty(final @Nullable Map<String, V> map) {
        return Objects.requireNonNullElse(map, Map.of());
    }

    @Shorthand
    private record QuotaLine(
            @Nullable Long cores,
            @Nullable Long gpus,
            @JsonProperty("borrowingLimit") @Nullable Long borrowingLimit,
            @JsonProperty("lendingLimit") @Nullable Long lendingLimit,
            @Nullable List<PeriodLine> periods) {

        private QuotaLine {
            checked(cores);
            terms(gpus, borrowingLimit, lendingLimit, periods);
        }

        private QuotaFileEntry entry(final String cluster, final String holder) {
            return new QuotaFileEntry(
                    cluster.equals(Quota.EVERYWHERE) ? null : ClusterId.of(cluster),
                    QuotaHolder.of(holder),
                    checked(cores),
                    terms(gpus, borrowingLimit, lendingLimit, periods));
        }

        private static QuotaTerms terms(
                final @Nullable Long gpus,
                final @Nullable Long borrowingLimit,
                final @Nullable Long lendingLimit,
                final @Nullable List<PeriodLine> periods) {
            return new QuotaTerms(
                    optional(gpus, "gpus"),
                    optional(borrowingLimit, "borrowingLimit"),
                    optional(lendingLimit, "lendingLimit"),
                    periods == null
                            ? List.of()
                            : periods.stream().map(PeriodLine::period).toList());
        }
    }

    private record PeriodLine(
            @Nullable Instant from,
            @Nullable Instant until,
            @Nullable Long cores,
            @Nullable Long gpus) {

        private PeriodLine {
            period(from, until, cores, gpus);
        }

        private QuotaPeriod period() {
            return period(from, until, cores, gpus);
        }

        private static QuotaPeriod period(
                final @Nullable Instant from,
                final @Nullable Instant until,
                final @Nullable Long cores,
                final @Nullable Long gpus) {
            return new QuotaPeriod(
                    YamlFile.required(from, "from"),
                    YamlFile.required(until, "until"),
                    checked(cores),
                    optional(gpus, "gpus"));
        }
    }

    private static int checked(final @Nullable Long cores) {
        return amount(YamlFile.required(cores, "cores"), "cores");
    }

    private static @Nullable Integer optional(final @Nullable Long amount, final String key) {
        return amount == null ? null : Integer.valueOf(amount(amount, key));
    }

    private static int amount(final long amount, final String key) {
        if (amount < 0) {
            throw new InvalidEntryException("a quota cannot be negative: " + amount + " " + key, key);
        }
        if (amount > QuotaRequests.MAX_CORES) {
            throw new InvalidEntryException(
                    amount + " " + key + " are too many: use at most " + QuotaRequests.MAX_CORES, key);
        }
        return (int) amount;
    }
}
