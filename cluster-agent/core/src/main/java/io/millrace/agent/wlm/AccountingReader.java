package io.millrace.agent.wlm;

import java.util.List;

/** Reads ended jobs from an accounting file, line by line, for the import of history. A reader reads one file. */
public interface AccountingReader {

    /**
     * What the line is. A job that later lines can still complete is a {@link AccountingLine.Detail} until then.
     *
     * @throws IllegalArgumentException if the line is damaged; reading can continue with the next line
     */
    AccountingLine read(String line);

    /**
     * The jobs whose lines were read as details, because later lines could have completed them.
     *
     * @throws IllegalArgumentException if the last of them is damaged
     */
    default List<EndedJob> atEndOfFile() {
        return List.of();
    }
}
