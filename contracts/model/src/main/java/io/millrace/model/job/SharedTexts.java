package io.millrace.model.job;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * Equal texts as the same object. Each job of a batch repeats the texts of all its jobs on the log, and each state of a job repeats them again; a
 * process that reads thousands of these records keeps each text once, as long as it is in use.
 */
final class SharedTexts {

    private SharedTexts() {}

    static String shared(final String text) {
        return text.intern();
    }

    static Map<String, String> shared(final Map<String, String> texts) {
        return texts.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(text -> shared(text.getKey()), text -> shared(text.getValue())));
    }
}
