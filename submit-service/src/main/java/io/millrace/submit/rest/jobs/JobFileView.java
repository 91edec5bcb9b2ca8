package io.millrace.submit.rest.jobs;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.model.file.FileEntry;
import io.millrace.model.file.FileResult;
import io.millrace.submit.files.ReadJobFile;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** A part of a file, or the entries of a folder. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@Schema(name = "JobFile")
public record JobFileView(
        String job,

        @Schema(ref = "JobState") String state,

        @Schema(description = "Whether the job has ended, so that the file does not grow any more")
        boolean finished,

        @Schema(description = "Cluster on which it was read")
        String cluster,

        @Schema(description = "Directory of the job on that cluster")
        String directory,

        @Schema(description = "Path in the directory") String path,

        @Schema(description = "Length of the file in bytes") @Nullable
        Long size,

        @Nullable Instant modifiedAt,

        @Schema(description = "Offset of the first byte of the content") @Nullable
        Long offset,

        @Schema(description = "Content in Base64") @Nullable String content,

        @Schema(description = "Entries of a folder, by name") @Nullable
        List<EntryView> entries,

        @Schema(description = "Number of entries that are left out") @Nullable
        Integer more) {

    /** An entry of a folder. */
    @Schema(name = "JobFileEntry")
    public record EntryView(
            String name,

            @Schema(description = "file, folder, link or other")
            String type,

            long size,
            Instant modifiedAt) {

        static EntryView of(final FileEntry entry) {
            return new EntryView(
                    entry.name(), entry.type().name().toLowerCase(Locale.ROOT), entry.size(), entry.modifiedAt());
        }
    }

    static JobFileView of(final ReadJobFile.Found found) {
        return switch (found.result()) {
            case FileResult.Content content ->
                view(found, content.size(), content.modifiedAt(), content.offset(), content.content(), null, null);
            case FileResult.Listing listing ->
                view(
                        found,
                        null,
                        null,
                        null,
                        null,
                        listing.entries().stream().map(EntryView::of).toList(),
                        listing.more() == 0 ? null : listing.more());
            case FileResult.CopySize size -> throw new IllegalStateException("no file: " + size);
            case FileResult.Missing missing -> throw new IllegalStateException("refused: " + missing);
            case FileResult.Refused refused -> throw new IllegalStateException("refused: " + refused);
            case FileResult.Busy busy -> throw new IllegalStateException("refused: " + busy);
        };
    }

    private static JobFileView view(
            final ReadJobFile.Found found,
            final @Nullable Long size,
            final @Nullable Instant modifiedAt,
            final @Nullable Long offset,
            final @Nullable String content,
            final @Nullable List<EntryView> entries,
            final @Nullable Integer more) {
        return new JobFileView(
                found.job().id().value(),
                found.state().word(),
                found.job().state().isFinal(),
                found.folder().cluster().value(),
                found.folder().directory(),
                found.path(),
                size,
                modifiedAt,
                offset,
                content,
                entries,
                more);
    }
}
