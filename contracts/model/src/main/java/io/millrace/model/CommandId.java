package io.millrace.model;

/** Identity of a command: issuer, action, subject and number of answered tries, so that the same decision is the same id. */
public record CommandId(String value) implements Comparable<CommandId> {

    public CommandId {
        NameForm.TOKEN.require(value, "command id");
    }

    public static CommandId of(final String value) {
        return new CommandId(value);
    }

    @Override
    public int compareTo(final CommandId other) {
        return value.compareTo(other.value);
    }

    @Override
    public String toString() {
        return value;
    }
}
