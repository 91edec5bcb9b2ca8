package io.millrace.submit.domain.job;

import io.millrace.script.Software;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The variables of a job: those of its script's directives, over them the software asked for, over these what was sent. */
record EnvironmentValidator(JobRequest asked, ScriptDirectives directives, ValidationErrors wrong) {

    /** Longest environment in bytes of UTF-8, names and values together. */
    static final int MAX_BYTES = 64 * 1024;

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    Map<String, String> environment() {
        final Map<String, @Nullable String> all =
                new HashMap<>(directives.asked().environment());
        software(all);
        if (asked.environment() != null) {
            all.putAll(asked.environment());
        }
        final Map<String, String> variables = new HashMap<>();
        long bytes = 0;
        for (final Map.Entry<String, @Nullable String> entry : all.entrySet()) {
            final String value = entry.getValue();
            if (!VARIABLE.matcher(entry.getKey()).matches() || value == null || value.indexOf('\0') >= 0) {
                wrong.no(
                        "environment." + entry.getKey(), "must be a variable's name with a text without zero bytes", 0);
            } else {
                variables.put(entry.getKey(), value);
                bytes += entry.getKey().length() + value.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return bytes <= MAX_BYTES
                ? variables
                : wrong.no("environment", "has " + bytes + " bytes, at most " + MAX_BYTES + " are taken", variables);
    }

    /** The names travel as a variable, which the script sees too. */
    private void software(final Map<String, @Nullable String> variables) {
        final List<@Nullable String> names = asked.software();
        if (names == null || names.isEmpty()) {
            return;
        }
        for (final String name : names) {
            if (name == null || !Software.isName(name)) {
                wrong.no(
                        "software",
                        "'" + name + "' is no name of a software: letters, digits and . _ + - / are taken",
                        0);
                return;
            }
        }
        variables.put(
                Software.VARIABLE,
                String.join(" ", names.stream().map(String::valueOf).toList()));
    }
}
