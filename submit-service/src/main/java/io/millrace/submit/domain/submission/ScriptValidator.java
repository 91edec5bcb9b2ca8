package io.millrace.submit.domain.submission;

import io.millrace.model.job.JobSpec;
import io.millrace.model.job.ScriptText;
import io.millrace.script.directive.InvalidDirective;
import io.millrace.script.directive.ScriptEncoding;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Validates the scripts of a job request; generates the job script from a command line if necessary. */
record ScriptValidator(JobRequest request, ScriptDirectives directives, ValidationErrors errors) {

    /** Maximum size of the arguments of a script, in bytes of UTF-8 with one byte between them. */
    static final int MAX_ARGUMENTS = 64 * 1024;

    /** The job script; empty if it is invalid. */
    String script() {
        final List<@Nullable String> command = request.command();
        if (request.script() != null && command != null) {
            return errors.add("command", "cannot be combined with 'script'; send one of them", "");
        }
        if (request.script() != null) {
            return scriptText("script", request.script());
        }
        if (command == null) {
            return errors.add("script", "is missing; send 'script', or 'command' as a list of arguments", "");
        }
        if (command.isEmpty() || command.stream().anyMatch(word -> word == null || word.indexOf('\0') >= 0)) {
            return errors.add(
                    "command",
                    "must be a list of at least one argument; arguments must not be null or contain zero bytes",
                    "");
        }
        final String first = String.valueOf(command.getFirst());
        if (first.isEmpty() || first.startsWith("-")) {
            return errors.add("command", "must start with a program, got '" + first + "'", "");
        }
        final String text =
                CommandScript.of(command.stream().map(String::valueOf).toList());
        return fits(text) ? text : errors.add("command", tooLong(text), "");
    }

    /** The script of the build step; null if there is none. */
    @Nullable
    String make() {
        return request.make() == null ? null : scriptText("make", request.make());
    }

    /** The arguments of the job script: those of the request, otherwise those of its directives. */
    List<String> arguments() {
        final List<@Nullable String> sent = request.arguments();
        if (sent == null || sent.isEmpty()) {
            return directives.arguments();
        }
        if (request.command() != null) {
            return errors.add("arguments", "are those of 'script'; append them to 'command'", List.of());
        }
        if (sent.stream().anyMatch(word -> word == null || word.indexOf('\0') >= 0)) {
            return errors.add("arguments", "must not be null or contain zero bytes", List.of());
        }
        final List<String> words = sent.stream().map(String::valueOf).toList();
        final long bytes = words.stream()
                .mapToLong(word -> word.getBytes(StandardCharsets.UTF_8).length + 1L)
                .sum();
        return bytes <= MAX_ARGUMENTS
                ? words
                : errors.add(
                        "arguments",
                        "have " + bytes + " bytes; the maximum is " + MAX_ARGUMENTS
                                + ". Pass the name of a file instead",
                        List.of());
    }

    private String scriptText(final String field, final String text) {
        final Optional<InvalidDirective> unreadable = ScriptEncoding.fault(text);
        if (unreadable.isPresent()) {
            // Of the script, it is one of the errors of its directives.
            return field.equals("script")
                    ? ""
                    : errors.add(field, unreadable.get().toString(), "");
        }
        if (!text.startsWith("#!") && !(field.equals("script") && directives.any())) {
            return errors.add(field, "must start with an interpreter line such as #!/bin/sh", "");
        }
        if (text.indexOf('\0') >= 0) {
            return errors.add(field, "contains a zero byte", "");
        }
        return fits(text) ? text : errors.add(field, tooLong(text), "");
    }

    private static boolean fits(final String text) {
        return text.getBytes(StandardCharsets.UTF_8).length <= JobSpec.MAX_SCRIPT_BYTES;
    }

    private static String tooLong(final String text) {
        return "has " + text.getBytes(StandardCharsets.UTF_8).length + " bytes; the maximum is "
                + JobSpec.MAX_SCRIPT_BYTES
                + (ScriptText.isUtf8(text) ? "" : ", and a byte that is not UTF-8 counts as four")
                + ". Move large parts into files in the job's directory";
    }
}
