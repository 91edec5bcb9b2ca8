package io.millrace.quota.domain.budget;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.Locale;

/** Whose budget it is. */
public record Subject(Kind kind, String name) {

    /** What a name names. */
    public enum Kind {
        USER,
        PROJECT,
        GROUP
    }

    public static Subject user(final UserName user) {
        return new Subject(Kind.USER, user.value());
    }

    public static Subject project(final ProjectName project) {
        return new Subject(Kind.PROJECT, project.value());
    }

    public static Subject group(final String group) {
        return new Subject(Kind.GROUP, group);
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + " '" + name + "'";
    }
}
