package io.millrace.agent.exec;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import java.util.Locale;

/**
 * What permits the agent to act as an owner: the kind of the command, and what the owner has signed for it. An agent that is root has
 * checked the signature itself; any other passes it to the helper, which checks it again.
 *
 * @param cluster whose agent acts; empty until {@link #on} names it
 * @param signature see {@link io.millrace.model.authorization.SignedAuthorization}; empty for {@link Kind#CHECK}
 * @param attempt of the signed job
 */
public record Authority(Kind kind, String cluster, String signature, String attempt) {

    /** The kinds of commands in the helper's list ({@code deploy/agent/helper/commands}). */
    public enum Kind {
        /** Prepares the directory of a job and submits it. */
        SUBMIT,
        /** Prepares the directory of a job and runs its make step. */
        MAKE,
        /** Writes the file of the make step. */
        WRITE_MAKE,
        /** Copies the files of a job to this cluster. */
        COPY,
        /** Removes the staged files of a job. */
        REMOVE,
        /** Reads files of a job for its owner. */
        READ,
        /** Looks up which paths of a script exist. */
        DRY_RUN,
        /** A few commands that no signature covers, such as the status of a checkpoint's marker. */
        CHECK;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** For commands that no signature covers. */
    public static final Authority CHECK = new Authority(Kind.CHECK, "", "", "");

    /** What was signed for this attempt; the cluster follows. */
    public static Authority of(final Kind kind, final String signature, final AttemptId attempt) {
        return new Authority(kind, "", signature, attempt.toString());
    }

    /** The same on this cluster, whose agent acts. */
    public Authority on(final ClusterId where) {
        return new Authority(kind, where.value(), signature, attempt);
    }

    /** The same signature for another kind of command. */
    public Authority as(final Kind other) {
        return new Authority(other, cluster, signature, attempt);
    }
}
