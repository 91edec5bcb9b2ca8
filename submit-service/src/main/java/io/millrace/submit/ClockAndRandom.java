package io.millrace.submit;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.random.RandomGenerator;

/** The one place where time and chance come in. */
@ApplicationScoped
class ClockAndRandom {

    @Produces
    @Singleton
    Clock clock() {
        return Clock.systemUTC();
    }

    /** Ids must not be guessable from earlier ones. */
    @Produces
    @Singleton
    RandomGenerator chance() {
        return new SecureRandom();
    }
}
