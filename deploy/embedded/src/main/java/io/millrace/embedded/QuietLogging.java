package io.millrace.embedded;

import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Limits the logs of the broker and the database to warnings. */
final class QuietLogging {
    // Strong references: java.util.logging forgets the level of a logger that is garbage collected.
    private static final List<Logger> LOGGERS = List.of(
            Logger.getLogger("org.apache.kafka"),
            Logger.getLogger("kafka"),
            Logger.getLogger("state.change.logger"),
            Logger.getLogger("ch.vorburger"));

    // Logs a warning about an empty log, which is normal for a new broker.
    private static final Logger FIRST_START = Logger.getLogger("org.apache.kafka.controller.QuorumController");

    private QuietLogging() {}

    static void apply() {
        LOGGERS.forEach(logger -> logger.setLevel(Level.WARNING));
        FIRST_START.setLevel(Level.SEVERE);
    }
}
