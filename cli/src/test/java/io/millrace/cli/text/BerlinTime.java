package io.millrace.cli.text;

import java.util.TimeZone;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The user of a test class is in Berlin, whatever the time zone of the machine. */
public final class BerlinTime implements BeforeAllCallback, AfterAllCallback {

    private final TimeZone before = TimeZone.getDefault();

    @Override
    public void beforeAll(final ExtensionContext context) {
        TimeZone.setDefault(TimeZone.getTimeZone("Europe/Berlin"));
    }

    @Override
    public void afterAll(final ExtensionContext context) {
        TimeZone.setDefault(before);
    }
}
