package io.millrace.submit.kafka;

import io.millrace.process.FatalFailure;
import io.quarkus.runtime.LaunchMode;
import io.quarkus.runtime.Quarkus;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;

/** Ends the service when one of its threads dies, before any of them starts. */
@ApplicationScoped
class EndOnFatalFailure {

    private static final int FIRST = 1;

    void start(@Observes @Priority(FIRST) final StartupEvent event) {
        if (LaunchMode.current() == LaunchMode.NORMAL) { // a test shares its process with other tests
            FatalFailure.endsTheProcess(() -> Quarkus.asyncExit(FatalFailure.EXIT_CODE));
        }
    }
}
