package io.millrace.agent.pbs;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import org.jspecify.annotations.Nullable;

/** Names of users and projects in attributes of a job. */
public final class PbsNames {

    private PbsNames() {}

    /** The account of {@code Job_Owner}, without the submission host after the last @. */
    public static String owner(final PbsObject job) {
        final String owner = job.get("Job_Owner", "");
        final int at = owner.lastIndexOf('@');
        return at < 0 ? owner : owner.substring(0, at);
    }

    /** The owner as a user. A name that Millrace does not accept becomes one that no user has, so that the job is still reported. */
    public static UserName user(final PbsObject job) {
        final String owner = owner(job);
        try {
            return UserName.of(owner);
        } catch (final IllegalArgumentException e) {
            return UserName.of("_" + owner.replaceAll("[^\\p{L}\\p{N}_.@+-]", "_"));
        }
    }

    /** The project; null if the text is empty, PBS's default project, or free text. */
    public static @Nullable ProjectName project(final String text) {
        try {
            return text.isBlank() || text.startsWith("_pbs_") ? null : ProjectName.of(text.strip());
        } catch (final IllegalArgumentException e) {
            return null;
        }
    }
}
