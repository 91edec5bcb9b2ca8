package io.millrace.model;

/** A site-wide user name. Dots and domains are allowed ({@code anna.schmidt@hpc.example}); it never starts with a dash. */
public record UserName(String value) implements Comparable<UserName> {

    public UserName {
        NameForm.ACCOUNT.require(value, "user name");
    }

    public static UserName of(final String value) {
        return new UserName(value);
    }

    @Override
    public int compareTo(final UserName other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
