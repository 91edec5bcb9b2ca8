package io.millrace.model.job;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Scripts as text without loss: a script in Latin-1 or in several encodings runs byte for byte, although requests, events and the database
 * hold text. A byte that is not part of UTF-8 is a character from U+10F780 (byte 0x80) to U+10F7FF (byte 0xFF), which no script uses for
 * anything else: they are private, and their own UTF-8 bytes are converted in the same way.
 */
public final class ScriptText {

    /** Plus the byte, which is at least 0x80. */
    private static final int BASE = 0x10F700;

    private ScriptText() {}

    public static String of(final byte[] script) {
        final CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
        final ByteBuffer in = ByteBuffer.wrap(script);
        final CharBuffer out = CharBuffer.allocate(script.length);
        final StringBuilder text = new StringBuilder(script.length);
        while (true) {
            final CoderResult result = decoder.decode(in, out, true);
            addValid(out.flip().toString(), text);
            if (result.isUnderflow()) {
                return text.toString();
            }
            for (int i = 0; i < result.length(); i++) {
                add(in.get(), text);
            }
            out.clear();
            decoder.reset();
        }
    }

    private static void addValid(final String valid, final StringBuilder text) {
        if (isUtf8(valid)) {
            text.append(valid);
            return;
        }
        valid.codePoints().forEach(c -> {
            if (isByte(c)) {
                for (final byte each : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    add(each, text);
                }
            } else {
                text.appendCodePoint(c);
            }
        });
    }

    private static void add(final byte raw, final StringBuilder text) {
        text.appendCodePoint(BASE + Byte.toUnsignedInt(raw));
    }

    /** The bytes of {@link #of}. */
    public static byte[] bytes(final String text) {
        if (isUtf8(text)) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        text.codePoints().forEach(c -> {
            if (isByte(c)) {
                bytes.write(c - BASE);
            } else {
                bytes.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
            }
        });
        return bytes.toByteArray();
    }

    /** Whether the script is valid UTF-8, so that the text is the script itself. */
    public static boolean isUtf8(final String text) {
        return text.codePoints().noneMatch(ScriptText::isByte);
    }

    private static boolean isByte(final int c) {
        return c >= BASE + 0x80 && c <= BASE + 0xFF;
    }
}
