package io.millrace.cli.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A field that a format can name.
 *
 * @param name in {@code -O} or {@code --format}; null if no name selects it
 * @param letter in {@code -o}; null if none selects it
 * @param width where the format has none; negative: left aligned
 */
record SlurmColumn<T>(
        @Nullable String name, @Nullable Character letter, String heading, int width, Function<T, String> value) {

    /** The fields of squeue. */
    static List<SlurmColumn<SlurmJob>> queue() {
        final List<SlurmColumn<SlurmJob>> columns = new ArrayList<>();
        for (final SlurmField field : SlurmField.values()) {
            if (field.queueName != null) {
                columns.add(new SlurmColumn<>(field.queueName, field.letter, field.queueHeading, 0, field::queued));
            }
        }
        return columns;
    }

    /** The fields of sacct. */
    static List<SlurmColumn<SlurmJob>> accounting() {
        final List<SlurmColumn<SlurmJob>> columns = new ArrayList<>();
        for (final SlurmField field : SlurmField.values()) {
            if (field.accountName != null) {
                columns.add(
                        new SlurmColumn<>(field.accountName, null, field.accountName, field.width, field::accounted));
            }
        }
        return columns;
    }
}
