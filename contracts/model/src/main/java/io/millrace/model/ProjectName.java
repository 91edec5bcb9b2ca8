package io.millrace.model;

/** A project, group or account that use is charged to. */
public record ProjectName(String value) implements Comparable<ProjectName> {

    public ProjectName {
        NameForm.ACCOUNT.require(value, "project name");
    }

    public static ProjectName of(final String value) {
        return new ProjectName(value);
    }

    @Override
    public int compareTo(final ProjectName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
