package io.millrace.agent.pbs;

import io.millrace.agent.wlm.NameMapping;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import org.jspecify.annotations.Nullable;

/** Names of users and projects in attributes of a job. */
public final class PbsNames {

    /** Begins the name of the project that PBS Pro assigns to a job without one. */
    private static final String DEFAULT_PROJECT = "_pbs_";

    private PbsNames() {}

    /** The account of {@code Job_Owner}, without the submission host after the last @. */
    public static String owner(final PbsObject job) {
        final String owner = job.get("Job_Owner", "");
        final int at = owner.lastIndexOf('@');
        return at < 0 ? owner : owner.substring(0, at);
    }

    /** The owner as a user. */
    public static UserName user(final PbsObject job) {
        return NameMapping.user(owner(job));
    }

    /** The project; null if the text is empty or PBS's default project. */
    public static @Nullable ProjectName project(final String text) {
        return text.startsWith(DEFAULT_PROJECT) ? null : NameMapping.project(text);
    }
}
