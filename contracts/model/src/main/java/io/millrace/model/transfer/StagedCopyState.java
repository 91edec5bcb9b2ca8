package io.millrace.model.transfer;

import java.time.Instant;

/**
 * The state of a staged copy.
 *
 * <pre>
 *   Kept --removeAt--> Removing --> Removed
 *    ^                    |
 *    +-- refused, failed -+
 * </pre>
 */
public sealed interface StagedCopyState {

    /**
     * It is kept, and will be removed at {@code removeAt}.
     *
     * @param reason why it is kept until then
     * @param failures failed removals
     */
    record Kept(Instant removeAt, String reason, int failures) implements StagedCopyState {}

    /** The agent of its cluster removes it. */
    record Removing(int failures) implements StagedCopyState {}

    /** It does not exist any more. */
    record Removed(String detail) implements StagedCopyState {}
}
