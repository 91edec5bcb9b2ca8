package io.millrace.agent.wlm;

import io.millrace.model.PartitionName;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Maps the names of a workload manager to Millrace's, for observed jobs and for accounting records alike. Accounts and projects may
 * contain almost any character. Characters that Millrace does not allow become underscores, so that one unusual name does not make a
 * whole cluster unreadable, and {@code DOMAIN\anna} is the same user in the queue and in the history.
 */
public final class NameMapping {

    /** The user of a job whose record names none. */
    public static final UserName NO_USER = UserName.of("_");

    private static final String NOBODY = "nobody";
    private static final String NOBODY_UID = "65534";

    private NameMapping() {}

    /** @param uid replaces the name if slurmctld's host does not know the user, in which case squeue prints {@code nobody} */
    public static UserName user(final String name, final String uid) {
        final boolean unknown = name.isEmpty() || name.equals(NOBODY) && !uid.isEmpty() && !uid.equals(NOBODY_UID);
        return user(unknown ? uid : name);
    }

    /** The user; {@link #NO_USER} if the name is empty. */
    public static UserName user(final String name) {
        return UserName.of(account(name.strip()));
    }

    /** The project; null if the text is blank. */
    public static @Nullable ProjectName project(final String account) {
        return account.isBlank() ? null : ProjectName.of(account(account.strip()));
    }

    /** The partitions of a list, in order of preference; a pending job may have several. */
    public static List<PartitionName> partitions(final String list) {
        return Arrays.stream(list.split(",", -1))
                .map(NameMapping::partition)
                .distinct()
                .toList();
    }

    /** The partition or queue; {@code _} if the text is empty. */
    public static PartitionName partition(final String name) {
        final String kept = start(name, 255).replaceAll("[\\p{Z}\\p{Cc}\\p{Cf}\\p{Cs}]|^-", "_");
        return PartitionName.of(kept.isEmpty() ? "_" : kept);
    }

    /** Keeps a dollar sign at the end, as in the name of a machine account. */
    private static String account(final String text) {
        final String kept = start(text, 128)
                .replaceAll("[^\\p{L}\\p{N}_.@+-](?!(?<=\\$)$)", "_")
                .replaceFirst("^[^\\p{L}\\p{N}_]", "_");
        return kept.isEmpty() ? "_" : kept;
    }

    private static String start(final String text, final int longest) {
        return text.substring(0, Math.min(text.length(), longest));
    }
}
