package io.millrace.classifier;

import org.jspecify.annotations.Nullable;

/** The class file is missing or wrong; the message names line, field and remedy. */
final class ClassFileException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    ClassFileException(final String message, final @Nullable Throwable cause) {
        super(message, cause);
    }
}
