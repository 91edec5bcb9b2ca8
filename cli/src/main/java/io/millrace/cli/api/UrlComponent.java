package io.millrace.cli.api;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Percent-encodes text for a path segment or query of a URL. */
public final class UrlComponent {

    private UrlComponent() {}

    public static String encode(final String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
