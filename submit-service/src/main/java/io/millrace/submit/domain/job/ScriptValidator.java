package io.millrace.submit.domain.job;

import io.millrace.model.job.JobSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The scripts of a job: sent as text, or as the words of a command from which one is made. */
record ScriptValidator(JobRequest asked, ScriptDirectives directives, ValidationErrors wrong) {

    /** What the job runs; empty where that is wrong. */
    String script() {
        final List<@Nullable String> command = asked.command();
        if (asked.script() != null && command != null) {
            return wrong.no("command", "cannot stand beside 'script': send one of the two", "");
        }
        if (asked.script() != null) {
            return scriptText("script", asked.script());
        }
        if (command == null) {
            return wrong.no("script", "is missing: send 'script', or 'command' as a list of words", "");
        }
        if (command.isEmpty() || command.stream().anyMatch(word -> word == null || word.indexOf('\0') >= 0)) {
            return wrong.no(
                    "command", "must be a list of at least one word, none of them null or with a zero byte", "");
        }
        final String first = String.valueOf(command.getFirst());
        if (first.isEmpty() || first.startsWith("-")) {
            return wrong.no("command", "must begin with a program, got '" + first + "'", "");
        }
        final String text =
                CommandScript.of(command.stream().map(String::valueOf).toList());
        return fits(text) ? text : wrong.no("command", tooLong(text), "");
    }

    /** What prepares it on its cluster, such as a compiler's call; {@code null} for none. */
    @Nullable
    String make() {
        return asked.make() == null ? null : scriptText("make", asked.make());
    }

    private String scriptText(final String field, final String text) {
        if (!text.startsWith("#!") && !(field.equals("script") && directives.any())) {
            return wrong.no(field, "must begin with the line of its interpreter, such as #!/bin/sh", "");
        }
        if (text.indexOf('\0') >= 0) {
            return wrong.no(field, "holds a zero byte", "");
        }
        return fits(text) ? text : wrong.no(field, tooLong(text), "");
    }

    private static boolean fits(final String text) {
        return text.getBytes(StandardCharsets.UTF_8).length <= JobSpec.MAX_SCRIPT_BYTES;
    }

    private static String tooLong(final String text) {
        return "has " + text.getBytes(StandardCharsets.UTF_8).length + " bytes, at most " + JobSpec.MAX_SCRIPT_BYTES
                + " are taken: put large parts into files in the job's directory";
    }
}
