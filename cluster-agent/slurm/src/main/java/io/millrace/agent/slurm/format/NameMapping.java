package io.millrace.agent.slurm.format;

import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps Slurm's names to Millrace's. Slurm allows almost any character in an account name. Characters that Millrace does not allow become
 * underscores, so that one unusual name does not make a whole cluster unreadable.
 */
public final class NameMapping {

    private static final String NOBODY = "nobody";
    private static final String NOBODY_UID = "65534";

    private NameMapping() {}

    /** @param uid replaces the name if slurmctld's host does not know the user, in which case squeue prints {@code nobody} */
    public static UserName user(final String name, final String uid) {
        final boolean unknown = name.isEmpty() || name.equals(NOBODY) && !uid.isEmpty() && !uid.equals(NOBODY_UID);
        return UserName.of(account(unknown ? uid : name));
    }

    static @Nullable public ProjectName project(final String account) {
        return account.isEmpty() ? null : ProjectName.of(account(account));
    }

    /** The partitions of a list, in order of preference; a pending job may have several. */
    public static List<PartitionName> partitions(final String list) {
        return Arrays.stream(list.split(",", -1))
                .map(NameMapping::partition)
                .distinct()
                .toList();
    }

    public static PartitionName partition(final String name) {
        return PartitionName.of(name.isEmpty() ? "_" : name.replaceAll("[\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}]|^-", "_"));
    }

    private static String account(final String text) {
        final String kept = text.replaceAll("[^\\p{L}\\p{N}_.@+-]", "_").replaceFirst("^[^\\p{L}\\p{N}_]", "_");
        return kept.isEmpty() ? "_" : kept.substring(0, Math.min(kept.length(), 128));
    }
}
