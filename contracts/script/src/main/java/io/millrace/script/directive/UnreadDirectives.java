package io.millrace.script.directive;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects the directives of workload managers that Millrace does not read. Only a command, or another of them, ends a block. */
final class UnreadDirectives {

    private final List<UnreadBlock> blocks = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private UnreadBlock.@Nullable Unread of;
    private int firstLine;
    private int lastLine;

    void add(final int number, final String line) {
        final String text = line.strip();
        final Optional<UnreadBlock.Unread> unread =
                text.startsWith("#") ? UnreadBlock.Unread.of(text) : Optional.empty();
        if (unread.isEmpty() ? !text.isEmpty() && !text.startsWith("#") : unread.get() != of) {
            end();
        }
        if (unread.isPresent()) {
            firstLine = lines.isEmpty() ? number : firstLine;
            lastLine = number;
            of = unread.get();
            lines.add(text);
        }
    }

    private void end() {
        if (of != null) {
            blocks.add(new UnreadBlock(of, firstLine, lastLine, lines));
        }
        of = null;
        lines.clear();
    }

    List<UnreadBlock> blocks() {
        end();
        return blocks;
    }
}
