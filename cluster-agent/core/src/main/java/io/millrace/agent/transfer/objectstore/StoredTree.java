package io.millrace.agent.transfer.objectstore;

import io.millrace.agent.wlm.Answer;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The manifest of a tree in the store. All that is not a large file is in one tar archive; each large file is an object.
 *
 * @param archive name of the archive, beside the manifest
 * @param archiveSum SHA-256 of the archive
 * @param files the large files
 */
public record StoredTree(String archive, String archiveSum, List<LargeFile> files) {

    /**
     * A large file.
     *
     * @param line {@code SHA-256 SIZE INODE MODE TIME ./NAME/}, where each character is one byte and the last slash ends the name
     */
    public record LargeFile(String sum, long bytes, String line) {

        private static final Pattern LINE =
                Pattern.compile("([0-9a-f]{64}) (\\d{1,18}) \\d+ [0-7]+ -?[\\d.]+ \\./.+/", Pattern.DOTALL);

        /** @throws IllegalArgumentException if the line has another format */
        public static LargeFile of(final String line) {
            final Matcher found = LINE.matcher(line);
            if (!found.matches()) {
                throw new IllegalArgumentException("'" + line + "' is not a large file of a tree");
            }
            return new LargeFile(found.group(1), Long.parseLong(found.group(2)), line);
        }

        /** Relative to the tree; each character is one byte. */
        public String name() {
            return line.substring(line.indexOf(" ./") + 1, line.length() - 1);
        }
    }

    private static final Pattern HEADER = Pattern.compile("millrace-tree-1 (tree-[0-9a-f]+) ([0-9a-f]{64})");

    public StoredTree {
        files = List.copyOf(files);
    }

    /** The manifest: entries that end with a zero byte. */
    public String text() {
        return "millrace-tree-1 " + archive + " " + archiveSum + "\0" + lines();
    }

    /** The large files as lines that end with a zero byte. */
    public String lines() {
        final StringBuilder all = new StringBuilder();
        files.forEach(file -> all.append(file.line()).append('\0'));
        return all.toString();
    }

    /** Trouble if it is not the manifest of a tree. */
    public static Answer<StoredTree> read(final String text) {
        final String[] entries = text.split("\0");
        final Matcher header = HEADER.matcher(entries[0]);
        if (!header.matches() || !text.endsWith("\0")) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE,
                    "the manifest of the tree in the object store is missing, damaged or of a newer agent");
        }
        try {
            return Answer.ok(new StoredTree(
                    header.group(1),
                    header.group(2),
                    Arrays.stream(entries).skip(1).map(LargeFile::of).toList()));
        } catch (final IllegalArgumentException e) {
            return Answer.trouble(
                    Answer.Kind.UNREADABLE, "the manifest of the tree in the object store: " + e.getMessage());
        }
    }
}
