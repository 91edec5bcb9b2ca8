package io.millrace.agent.wlm;

import java.util.Optional;

/** Reads ended jobs from an accounting file, line by line, for the import of history. A reader reads one file. */
public interface AccountingReader {

    /**
     * The job whose end this line completes; empty if it is about anything else.
     *
     * @throws IllegalArgumentException if the line is damaged; reading can continue with the next line
     */
    Optional<EndedJob> read(String line);

    /**
     * The job that the last line of the file completed.
     *
     * @throws IllegalArgumentException if it is damaged
     */
    default Optional<EndedJob> atEndOfFile() {
        return Optional.empty();
    }
}
