package io.millrace.cli.classes;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Waits until classifier-service has answered a request about the class model. */
final class ClassModelAnswer {

    private static final int POLLS = 300;
    private static final int POLL_MS = 200;

    private ClassModelAnswer() {}

    /** Asks once; empty: no answer yet. */
    interface Question {
        Optional<JsonNode> ask() throws CommandException;
    }

    static JsonNode await(final Question question) throws CommandException {
        for (int poll = 0; poll < POLLS; poll++) {
            final Optional<JsonNode> answer = question.ask();
            if (answer.isPresent()) {
                return answer.get();
            }
            pause();
        }
        throw new CommandException(
                ExitCode.UNREACHABLE,
                "no answer to the request yet; check that classifier-service is running, then see mgclass");
    }

    /** The text of a model file. */
    static String text(final Path file) throws CommandException {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new CommandException(ExitCode.USAGE, file + " cannot be read: " + e);
        }
    }

    private static void pause() throws CommandException {
        try {
            Thread.sleep(POLL_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandException(ExitCode.FAILED, "interrupted before the answer came; see mgclass");
        }
    }
}
