package io.millrace.model;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Prints texts with {@link Text#escapedLines}: for programs that print names and messages from files of others to a terminal. */
public final class EscapingStream extends PrintStream {

    public EscapingStream(final OutputStream to) {
        super(to, true, StandardCharsets.UTF_8);
    }

    @Override
    public void print(final String text) {
        super.print(Text.escapedLines(String.valueOf(text)));
    }

    @Override
    public void print(final Object value) {
        print(String.valueOf(value));
    }

    @Override
    public void println(final String text) {
        super.println(Text.escapedLines(String.valueOf(text)));
    }

    @Override
    public void println(final Object value) {
        println(String.valueOf(value));
    }

    @Override
    public PrintStream append(final CharSequence text) {
        print(String.valueOf(text));
        return this;
    }
}
