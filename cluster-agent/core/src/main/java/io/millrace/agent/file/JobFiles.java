package io.millrace.agent.file;

import io.millrace.agent.exec.Authority;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.identity.SubmissionSignature;
import io.millrace.agent.site.OwnerAccounts;
import io.millrace.agent.transfer.MeasureCopy;
import io.millrace.agent.transfer.TransferSettings;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.Veto;
import io.millrace.model.file.FileEntry;
import io.millrace.model.file.FileRequest;
import io.millrace.model.file.FileResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads files in the directories of jobs. Every access has the rights of the job's owner, so a link or a race can never show what the owner
 * cannot read. Beyond that, links that leave the directory are refused, and only regular files and folders are read.
 */
public final class JobFiles {

    private static final int MAX_ENTRIES = 500;

    private final OwnerAccounts owners;
    private final TransferSettings transfers;
    private final @Nullable SubmissionSignature signatures;

    /**
     * @param owners whose runner keeps little output
     * @param signatures null: there are no keys, so every request is refused
     */
    public JobFiles(
            final OwnerAccounts owners,
            final TransferSettings transfers,
            final @Nullable SubmissionSignature signatures) {
        this.owners = owners;
        this.transfers = transfers;
        this.signatures = signatures;
    }

    public FileResult read(final FileRequest request, final Instant now) {
        final Optional<String> refusal = refusal(request, now);
        if (refusal.isPresent()) {
            return new FileResult.Refused(refusal.get());
        }
        final Reading reading = new Reading(
                request,
                owners.runner(
                        request.owner(),
                        Authority.of(
                                Authority.Kind.READ,
                                request.signature(),
                                request.job().attempt(1))));
        if (request.copyFilter() != null) {
            return reading.copySize(new MeasureCopy(
                    transfers, request.directory(), request.copyFilter(), Duration.between(now, request.validUntil())));
        }
        final Path file;
        try {
            file = Path.of(request.directory()).resolve(request.path());
        } catch (final InvalidPathException e) {
            return new FileResult.Refused("'" + request.path() + "' is not a valid path");
        }
        return reading.of(request.directory(), file.toString());
    }

    private Optional<String> refusal(final FileRequest request, final Instant now) {
        if (!now.isBefore(request.validUntil())) {
            return Optional.of("the request expired at " + request.validUntil()
                    + " before the agent read it; retry, and check the clocks if this lasts");
        }
        if (!request.directory().startsWith("/") || request.length() < 0 || request.length() > FileRequest.MAX_BYTES) {
            return Optional.of("the request is invalid");
        }
        return owners.refusal(request.owner()).or(() -> unsigned(request, now));
    }

    private Optional<String> unsigned(final FileRequest request, final Instant now) {
        return signatures == null
                ? Optional.of("the agent has no public keys of submit-service; set millrace.agent.submission-keys")
                : signatures.verify(request, now).map(Veto::reason);
    }

    /** One request. */
    private record Reading(FileRequest request, Runner asOwner) {

        FileResult of(final String directory, final String file) {
            return switch (asOwner.run(new RealPaths(directory, file))) {
                case Answer.Trouble<Optional<RealPaths.Resolved>> trouble -> failed(trouble);
                case Answer.Ok<Optional<RealPaths.Resolved>> ok ->
                    ok.value().map(this::resolved).orElseGet(this::missing);
            };
        }

        FileResult copySize(final MeasureCopy measure) {
            return switch (asOwner.run(measure)) {
                case Answer.Trouble<FileResult.CopySize> trouble -> failed(trouble);
                case Answer.Ok<FileResult.CopySize> ok -> ok.value();
            };
        }

        private FileResult resolved(final RealPaths.Resolved paths) {
            if (!paths.isInside()) {
                return refused("is not in the job's directory " + paths.directory());
            }
            final String real = paths.file().toString();
            return switch (asOwner.run(new FileStatus(real))) {
                case Answer.Trouble<Optional<FileStatus.Status>> trouble -> failed(trouble);
                case Answer.Ok<Optional<FileStatus.Status>> ok ->
                    ok.value().map(status -> existing(real, status)).orElseGet(this::missing);
            };
        }

        private FileResult existing(final String real, final FileStatus.Status status) {
            if (status.isFolder()) {
                return switch (asOwner.run(new ListFolder(real))) {
                    case Answer.Trouble<List<FileEntry>> trouble -> failed(trouble);
                    case Answer.Ok<List<FileEntry>> ok -> listing(ok.value());
                };
            }
            if (!status.isRegular()) {
                return refused("is a device, pipe or socket, not a regular file");
            }
            final Long from = request.offset();
            final long offset = from == null ? Math.max(0, status.size() - request.length()) : Math.max(0, from);
            return switch (asOwner.run(new ReadRange(real, offset, request.length()))) {
                case Answer.Trouble<byte[]> trouble -> failed(trouble);
                case Answer.Ok<byte[]> ok ->
                    new FileResult.Content(
                            status.size(),
                            status.modifiedAt(),
                            offset,
                            Base64.getEncoder().encodeToString(ok.value()));
            };
        }

        /** The first entries that fit into an answer. */
        private static FileResult listing(final List<FileEntry> all) {
            int shown = 0;
            int bytes = 0;
            while (shown < all.size() && shown < MAX_ENTRIES && bytes < FileRequest.MAX_BYTES) {
                bytes += all.get(shown).name().getBytes(StandardCharsets.UTF_8).length;
                shown++;
            }
            return new FileResult.Listing(all.subList(0, shown), all.size() - shown);
        }

        private FileResult missing() {
            return new FileResult.Missing(
                    request.path().isEmpty()
                            ? "directory '" + request.directory() + "' not found on " + request.cluster()
                            : "file '" + request.path() + "' not found in " + request.directory() + " on "
                                    + request.cluster());
        }

        private FileResult refused(final String reason) {
            return new FileResult.Refused("'" + request.path() + "' " + reason);
        }

        private FileResult failed(final Answer.Trouble<?> trouble) {
            final String what = request.copyFilter() == null ? request.path() : request.directory();
            final String reason = "cannot read '" + what + "' as user '" + request.owner() + "' on " + request.cluster()
                    + ": " + trouble.reason();
            return trouble.kind() == Answer.Kind.TIMEOUT ? new FileResult.Busy(reason) : new FileResult.Refused(reason);
        }
    }
}
