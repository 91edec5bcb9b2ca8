package io.millrace.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptTextTest {

    private static final String SCRIPT =
            "#!/bin/sh\n# f\u00fcr dich, \u0440\u0443\u0441\u0441\u043a\u0438\u0439, \ud83d\ude00\n";

    @Test
    void utf8_is_itself() {
        assertThat(ScriptText.of(SCRIPT.getBytes(StandardCharsets.UTF_8))).isEqualTo(SCRIPT);
        assertThat(ScriptText.bytes(SCRIPT)).isEqualTo(SCRIPT.getBytes(StandardCharsets.UTF_8));
        assertThat(ScriptText.isUtf8(SCRIPT)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ISO-8859-1", "ISO-8859-15", "windows-1252", "KOI8-R", "Shift_JIS", "GBK", "UTF-16"})
    void a_script_in_another_encoding_keeps_its_bytes(final String charset) {
        final byte[] script = SCRIPT.getBytes(Charset.forName(charset));
        final String text = ScriptText.of(script);

        assertThat(ScriptText.isUtf8(text)).isFalse();
        assertThat(ScriptText.bytes(text)).isEqualTo(script);
    }

    @Test
    void characters_that_stand_for_bytes_keep_their_own_bytes() {
        final String reserved = "a\udbfd\udf80b\udbfd\udfff"; // U+10F780, U+10F7FF
        final byte[] script = reserved.getBytes(StandardCharsets.UTF_8);

        assertThat(ScriptText.of(script)).isNotEqualTo(reserved);
        assertThat(ScriptText.bytes(ScriptText.of(script))).isEqualTo(script);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void any_bytes_survive(final long seed) {
        final Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            final byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            for (int k = 0; k < bytes.length && i % 2 == 0; k++) { // lead bytes and continuations in all orders
                bytes[k] = (byte) (random.nextInt(4) == 0 ? 'x' : 0x80 | random.nextInt(0x80));
            }
            final String text = ScriptText.of(bytes);
            assertThat(ScriptText.bytes(text)).isEqualTo(bytes);
            assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .as("text that every encoder of UTF-8 accepts")
                    .isEqualTo(text);
        }
    }
}
