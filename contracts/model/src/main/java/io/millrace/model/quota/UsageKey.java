package io.millrace.model.quota;

import io.millrace.model.ClusterId;
import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import org.jspecify.annotations.Nullable;

/** A record key on {@code millrace.usage}; its text form is the key. */
public sealed interface UsageKey {

    String CHARGES = "charges/";
    String NO_PROJECT = "-";

    ClusterId cluster();

    UserName user();

    /** {@code alpha/anna}: a {@link Usage}. */
    record Use(ClusterId cluster, UserName user) implements UsageKey {

        @Override
        public String toString() {
            return cluster + "/" + user;
        }
    }

    /** {@code alpha/charges/anna/physics}, without a project {@code alpha/charges/anna/-}: {@link Charges}. */
    record Charged(
            ClusterId cluster, UserName user, @Nullable ProjectName project) implements UsageKey {

        @Override
        public String toString() {
            return cluster + "/" + CHARGES + user + "/" + (project == null ? NO_PROJECT : project);
        }
    }

    /** @throws IllegalArgumentException if it is not a key of this topic */
    static UsageKey of(final String key) {
        final int slash = Math.max(key.indexOf('/'), 0);
        final ClusterId cluster = ClusterId.of(key.substring(0, slash));
        final String about = key.substring(slash + 1);
        if (!about.startsWith(CHARGES)) {
            return new Use(cluster, UserName.of(about));
        }
        final int end = Math.max(about.lastIndexOf('/'), CHARGES.length());
        final String project = about.substring(end + 1);
        return new Charged(
                cluster,
                UserName.of(about.substring(CHARGES.length(), end)),
                project.equals(NO_PROJECT) ? null : ProjectName.of(project));
    }
}
