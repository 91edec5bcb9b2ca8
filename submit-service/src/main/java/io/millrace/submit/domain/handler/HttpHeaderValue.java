package io.millrace.submit.domain.handler;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Percent-encodes CloudEvents attributes for HTTP headers (CloudEvents 1.0.2, HTTP binding, 3.1.3.2). */
public final class HttpHeaderValue {

    private HttpHeaderValue() {}

    public static String encoded(final String value) {
        final StringBuilder header = new StringBuilder(value.length());
        for (final byte each : value.getBytes(StandardCharsets.UTF_8)) {
            final char c = (char) (each & 0xff);
            if (c > ' ' && c < 0x7f && c != '"' && c != '%') {
                header.append(c);
            } else {
                header.append('%').append(String.format(Locale.ROOT, "%02X", (int) c));
            }
        }
        return header.toString();
    }
}
