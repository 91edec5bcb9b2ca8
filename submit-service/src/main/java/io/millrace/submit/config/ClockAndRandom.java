package io.millrace.submit.config;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.random.RandomGenerator;

/** Provides the clock and the random generator for injection. */
@ApplicationScoped
class ClockAndRandom {

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    /** Secure, because ids must not be predictable. */
    @Produces
    @Singleton
    RandomGenerator random() {
        return new SecureRandom();
    }
}
