package io.millrace.model.command;

import java.util.Locale;

/** Why an agent refused a command. */
public enum Refusal {
    STALE(
            "A precondition does not hold on the live cluster.",
            "None needed; the service plans again from the next revision."),
    EXPIRED(
            "The command arrived after its validity ended.",
            "None needed, unless it lasts: check the agent's connection and clock."),
    NOT_PERMITTED(
            "The signature does not cover the command, the owner has no account here, or the issuer may not send it.",
            "Read the reason; submit the job again, or correct the agent's permissions."),
    UNSUPPORTED(
            "This workload manager, or this version of the agent, cannot execute the command.",
            "Update the agent, or see the capabilities of the cluster.");

    private final String meaning;
    private final String remedy;

    Refusal(final String meaning, final String remedy) {
        this.meaning = meaning;
        this.remedy = remedy;
    }

    /** As it is shown, such as {@code not-permitted}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String meaning() {
        return meaning;
    }

    /** What the user or operator can do. */
    public String remedy() {
        return remedy;
    }
}
