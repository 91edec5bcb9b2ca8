package io.millrace.sitefiles;

import java.util.List;

/** A record's constructor found an error in one of its entries. */
public final class InvalidEntryException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> path;

    /**
     * @param message what failed, on which value, and the remedy
     * @param path keys from the record down to the entry, as in the file
     */
    public InvalidEntryException(final String message, final String... path) {
        super(message);
        this.path = List.of(path);
    }

    List<String> path() {
        return path;
    }
}
