package io.millrace.submit.config;

import io.millrace.model.OneLineRecords;
import io.quarkus.logging.LoggingFilter;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import org.jboss.logmanager.ExtLogRecord;

/** Applied to the console by {@code quarkus.log.console.filter}. */
@LoggingFilter(name = "one-line")
public final class OneLineLog implements Filter {

    @Override
    public boolean isLoggable(final LogRecord record) {
        return OneLineRecords.kept(
                record,
                record instanceof ExtLogRecord extended
                        ? text -> extended.setMessage(text, extended.getFormatStyle())
                        : record::setMessage);
    }
}
