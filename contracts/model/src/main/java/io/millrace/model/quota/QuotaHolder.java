package io.millrace.model.quota;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import java.util.Locale;

/**
 * The holder of a quota. As text: {@code anna} is a user, {@code project:physics} a project, {@code group:science} a group of users,
 * projects and other groups.
 */
public record QuotaHolder(Kind kind, String name) implements Comparable<QuotaHolder> {

    /** What kind of holder it is. */
    public enum Kind {
        USER,
        PROJECT,
        GROUP;

        private String prefix() {
            return this == USER ? "" : name().toLowerCase(Locale.ROOT) + ":";
        }
    }

    public QuotaHolder {
        switch (kind) {
            case USER -> UserName.of(name);
            case PROJECT -> ProjectName.of(name);
            case GROUP -> requireGroupName(name);
        }
    }

    /** Group names follow the rules of user and project names. */
    private static void requireGroupName(final String name) {
        try {
            ProjectName.of(name);
        } catch (final IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + name + "' is not a valid group name", e);
        }
    }

    public static QuotaHolder of(final String text) {
        for (final Kind kind : new Kind[] {Kind.PROJECT, Kind.GROUP}) {
            if (text.startsWith(kind.prefix())) {
                return new QuotaHolder(kind, text.substring(kind.prefix().length()));
            }
        }
        return new QuotaHolder(Kind.USER, text);
    }

    public static QuotaHolder of(final UserName user) {
        return new QuotaHolder(Kind.USER, user.value());
    }

    public static QuotaHolder of(final ProjectName project) {
        return new QuotaHolder(Kind.PROJECT, project.value());
    }

    /** In a sentence: {@code user 'anna'}. */
    public String named() {
        return kind.name().toLowerCase(Locale.ROOT) + " '" + name + "'";
    }

    @Override
    public int compareTo(final QuotaHolder other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return kind.prefix() + name;
    }
}
