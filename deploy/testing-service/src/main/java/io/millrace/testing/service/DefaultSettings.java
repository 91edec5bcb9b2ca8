package io.millrace.testing.service;

import io.smallrye.config.SmallRyeConfigBuilder;

/** The settings of an installation that sets nothing. */
public final class DefaultSettings {

    private DefaultSettings() {}

    /** @param settings an interface with {@link io.smallrye.config.ConfigMapping} */
    public static <T> T of(final Class<T> settings) {
        return new SmallRyeConfigBuilder()
                .addDiscoveredConverters()
                .withMapping(settings)
                .build()
                .getConfigMapping(settings);
    }
}
