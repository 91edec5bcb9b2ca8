package io.millrace.submit.domain.submission;

import io.millrace.script.JobSetting;
import io.millrace.script.Software;
import io.millrace.script.StandardStreams;
import io.millrace.script.directive.CommandLineOptions;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The environment of a job: variables of the script's directives, then requested software, then variables of the request; the last one wins.
 * Only the options of the request set {@link CommandLineOptions#VARIABLE}.
 */
record EnvironmentValidator(
        JobRequest request, String directory, ScriptDirectives directives, ValidationErrors errors) {

    /** Maximum size of names and values together, in bytes of UTF-8. */
    static final int MAX_BYTES = 64 * 1024;

    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    Map<String, String> environment() {
        final Map<String, @Nullable String> all =
                new HashMap<>(directives.requested().environment());
        software(all);
        stream(
                all,
                StandardStreams.OUTPUT,
                "output",
                request.output(),
                JobSetting.Output.class,
                JobSetting.Output::path);
        stream(all, StandardStreams.ERROR, "error", request.error(), JobSetting.Error.class, JobSetting.Error::path);
        stream(all, StandardStreams.INPUT, "input", request.input(), JobSetting.Input.class, JobSetting.Input::path);
        if (request.environment() != null) {
            all.putAll(request.environment());
        }
        all.remove(CommandLineOptions.VARIABLE);
        if (!request.optionWords().isEmpty()) {
            all.put(CommandLineOptions.VARIABLE, CommandLineOptions.variable(request.optionWords()));
        }
        final Map<String, String> variables = new HashMap<>();
        long bytes = 0;
        for (final Map.Entry<String, @Nullable String> entry : all.entrySet()) {
            final String value = entry.getValue();
            if (!VARIABLE.matcher(entry.getKey()).matches() || value == null || value.indexOf('\0') >= 0) {
                errors.add(
                        "environment." + entry.getKey(),
                        "must have a valid variable name and a value without zero bytes",
                        0);
            } else {
                variables.put(entry.getKey(), value);
                bytes += entry.getKey().length() + value.getBytes(StandardCharsets.UTF_8).length;
            }
        }
        return bytes <= MAX_BYTES
                ? variables
                : errors.add("environment", "has " + bytes + " bytes; the maximum is " + MAX_BYTES, variables);
    }

    /** The file of a standard stream, from the request or from the script. */
    private <S extends JobSetting> void stream(
            final Map<String, @Nullable String> variables,
            final String variable,
            final String field,
            final @Nullable String requested,
            final Class<S> setting,
            final Function<S, String> path) {
        if (directory.isEmpty()) {
            return; // reported elsewhere
        }
        final String file = requested == null
                ? directives.stream(setting, path, directory)
                : errors.read(field, requested, text -> StandardStreams.within(text, directory));
        if (file != null) {
            variables.put(variable, file);
        }
    }

    /** Passes the names in a variable, which the script can read too. */
    private void software(final Map<String, @Nullable String> variables) {
        final List<@Nullable String> names = request.software();
        if (names == null || names.isEmpty()) {
            return;
        }
        for (final String name : names) {
            if (name == null || !Software.isName(name)) {
                errors.add(
                        "software",
                        "'" + name + "' is not a valid software name; use letters, digits and . _ + - /",
                        0);
                return;
            }
        }
        variables.put(
                Software.VARIABLE,
                String.join(" ", names.stream().map(String::valueOf).toList()));
    }
}
