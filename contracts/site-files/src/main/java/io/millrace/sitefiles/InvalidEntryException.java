package io.millrace.sitefiles;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;

/** A record's constructor found an error in one of its entries. */
public final class InvalidEntryException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> path;
    private final transient boolean atKey;
    private final transient @Nullable Mark mark;

    /**
     * @param message what failed, on which value, and the remedy
     * @param path keys from the record down to the entry, as in the file
     */
    public InvalidEntryException(final String message, final String... path) {
        this(message, List.of(path), true, null);
    }

    /**
     * @param atKey whether the key of the entry is wrong, not its value
     * @param mark where the error is, if the path does not show it; null: it does
     */
    InvalidEntryException(
            final String message, final List<String> path, final boolean atKey, final @Nullable Mark mark) {
        super(message);
        this.path = path;
        this.atKey = atKey;
        this.mark = mark;
    }

    List<String> path() {
        return path;
    }

    boolean isAtKey() {
        return atKey;
    }

    @Nullable
    Mark mark() {
        return mark;
    }
}
