package io.millrace.quota.domain.budget;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.Locale;

/** The user, project or group that has a budget. */
public record BudgetHolder(Kind kind, String name) {

    /** The kind of a holder. */
    public enum Kind {
        USER,
        PROJECT,
        GROUP
    }

    public static BudgetHolder user(final UserName user) {
        return new BudgetHolder(Kind.USER, user.value());
    }

    public static BudgetHolder project(final ProjectName project) {
        return new BudgetHolder(Kind.PROJECT, project.value());
    }

    public static BudgetHolder group(final String group) {
        return new BudgetHolder(Kind.GROUP, group);
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + " '" + name + "'";
    }
}
