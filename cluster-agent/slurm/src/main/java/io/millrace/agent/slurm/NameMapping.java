package io.millrace.agent.slurm;

import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Slurm's names as Millrace's. Slurm allows nearly anything in the name of an account; what Millrace's names cannot hold becomes an
 * underscore, so that one strange name does not hide a whole cluster.
 */
final class NameMapping {

    private static final String NOBODY = "nobody";
    private static final String NOBODYS_UID = "65534";

    private NameMapping() {}

    /** @param uid shown where the user database of slurmctld's host does not know the user: squeue calls them all nobody */
    static UserName user(final String name, final String uid) {
        final boolean unknown = name.isEmpty() || name.equals(NOBODY) && !uid.isEmpty() && !uid.equals(NOBODYS_UID);
        return UserName.of(account(unknown ? uid : name));
    }

    static @Nullable ProjectName project(final String account) {
        return account.isEmpty() ? null : ProjectName.of(account(account));
    }

    /** A waiting job may name several partitions, in the order in which it prefers them; it is shown in the first. */
    static List<PartitionName> partitions(final String list) {
        return Arrays.stream(list.split(",", -1))
                .map(NameMapping::partition)
                .distinct()
                .toList();
    }

    static PartitionName partition(final String name) {
        return PartitionName.of(name.isEmpty() ? "_" : name.replaceAll("[\\s\\p{Cntrl}]|^-", "_"));
    }

    private static String account(final String text) {
        final String kept = text.replaceAll("[^\\p{L}\\p{N}_.@+-]", "_").replaceFirst("^[^\\p{L}\\p{N}_]", "_");
        return kept.isEmpty() ? "_" : kept.substring(0, Math.min(kept.length(), 128));
    }
}
