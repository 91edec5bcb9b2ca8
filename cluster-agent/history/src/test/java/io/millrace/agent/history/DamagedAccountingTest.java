package io.millrace.agent.history;

import io.millrace.agent.wlm.AccountingReader;
import io.millrace.agent.wlm.DamagedOutput;
import io.millrace.model.ClusterId;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A damaged line of any format is read, ignored or reported, but never stops an import. */
class DamagedAccountingTest {

    private static final List<String> REPEATED =
            List.of("|", ";", "; ", "a=\"", "\"\"", "\"a\" ", " = ", "[", "] ", "1 ", "-1 ", "x=1 ", "01:", "\n\n");

    @ParameterizedTest
    @EnumSource
    void damaged_lines_do_not_stop_an_import(final AccountingFormat format) {
        DamagedOutput.survives(Samples.text(format), REPEATED, text -> {
            final AccountingReader reader =
                    format.reader(new AccountingFormat.Source(ClusterId.of("alpha"), ZoneOffset.UTC));
            text.lines().forEach(line -> reported(() -> reader.read(line)));
            reported(reader::atEndOfFile);
        });
    }

    @Test
    void the_time_to_read_a_long_name_is_proportional_to_its_length() {
        final String text = Samples.text(AccountingFormat.LSF);
        final int end = text.indexOf("\"solver[1-4]%2\"") + "\"solver[1-4]%2".length();
        final AccountingReader reader =
                AccountingFormat.LSF.reader(new AccountingFormat.Source(ClusterId.of("alpha"), ZoneOffset.UTC));
        DamagedOutput.survives(
                text.substring(0, end),
                "[",
                text.substring(end),
                changed -> changed.lines().forEach(line -> reported(() -> reader.read(line))));
    }

    /** The import reports exactly this exception. */
    private static void reported(final Runnable reading) {
        try {
            reading.run();
        } catch (final IllegalArgumentException e) {
            // a malformed line
        }
    }
}
