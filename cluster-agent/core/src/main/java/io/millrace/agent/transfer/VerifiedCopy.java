package io.millrace.agent.transfer;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.Text;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.transfer.CopyProgress;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A copy, and a comparison of both sides, which also computes a digest. Files that differ after the copy (damaged or changed) are copied once more with checksums. Files at
 * the destination that have changed since the time in the order are kept beside the copied ones.
 */
final class VerifiedCopy {

    private static final int NAMED = 5;
    private static final long SMALL_BYTES = 16 * 1024 * 1024;
    private static final long SMALL_FILES = 1000;

    /**
     * What other jobs in the same directory do while it is uploaded: they create files, and write their output. The upload has what was there
     * when it began.
     */
    private static final Pattern WRITTEN_MEANWHILE =
            Pattern.compile("^[>c][fLd]\\+{9} |^[>.]f\\S{9} (.*/)?millrace-[0-9][0-9A-Z]*(_[^/]*)?\\.out$");

    private final TransferSettings settings;
    private final FileCache cache;
    private final CopyTree order;
    private final Runner asOwner;
    private final Consumer<CopyProgress> progress;
    /** Whether {@link ChangedFiles} may have given files a second name. */
    private boolean hasSecondNames;

    VerifiedCopy(
            final TransferSettings settings,
            final FileCache cache,
            final CopyTree order,
            final Runner asOwner,
            final Consumer<CopyProgress> progress) {
        this.settings = settings;
        this.cache = cache;
        this.order = order;
        this.asOwner = asOwner;
        this.progress = progress;
    }

    Answer<String> run() {
        if (isUpload()) {
            return cache.around(order, asOwner, this::verified);
        }
        final Answer<String> result = verified();
        if (!hasSecondNames) {
            return result;
        }
        final Answer<List<String>> kept = asOwner.run(new KeepBoth(order.to(), changedSuffix(), suffix()));
        return result.then(detail -> kept.map(names -> names.isEmpty() ? detail : detail + kept(names)));
    }

    private boolean isUpload() {
        return order.keepChangedSince() == null;
    }

    /** Of the files that changed and that the results would replace, for as long as the copy lasts. */
    private String changedSuffix() {
        return ".millrace-kept-" + job();
    }

    /** Of the results that do not replace a file. */
    private String suffix() {
        return ".millrace-" + job();
    }

    private String job() {
        return Rsync.jobOf(order);
    }

    private String kept(final List<String> names) {
        return "; not overwritten, because they changed while the job ran: "
                + names.stream()
                        .limit(NAMED)
                        .map(name -> "'" + Text.escaped(name) + "'")
                        .collect(Collectors.joining(", "))
                + (names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : "")
                + "; the results of the job have the suffix '" + suffix() + "'";
    }

    private Answer<String> verified() {
        return copy(false)
                .then(copied -> digest(copied)
                        .then(this::withoutLeftovers)
                        .map(digest -> copied.files() + " files, " + copied.bytes() + " bytes, digest " + digest));
    }

    private Answer<String> withoutLeftovers(final String digest) {
        final boolean staged = Destination.isStaging(settings, order.to());
        return asOwner.run(new RemoveLeftovers(order, staged, cache.folder(order)))
                .map(yes -> digest);
    }

    /** Reading a small tree a second time at its source takes less than the check of a copy. */
    private Answer<String> digest(final CopyTrees.Copied copied) {
        return copied.bytes() < SMALL_BYTES && copied.files() < SMALL_FILES
                ? compared()
                : asOwner.run(new CheckCopied(settings, order))
                        .then(digest -> digest.isEmpty() ? compared() : Answer.ok(digest));
    }

    private Answer<String> compared() {
        return compare()
                .then(found -> found.differences().isEmpty()
                        ? Answer.ok(found.digest())
                        : copy(true).then(again -> compare()).then(this::judged));
    }

    private Answer<String> judged(final CompareTrees.Compared still) {
        final List<String> differences = isUpload()
                ? still.differences().stream()
                        .filter(line -> !WRITTEN_MEANWHILE.matcher(line).find())
                        .toList()
                : still.differences();
        return differences.isEmpty() ? Answer.ok(still.digest()) : differs(differences);
    }

    private Answer<CopyTrees.Copied> copy(final boolean thorough) {
        final Answer<Boolean> changed = isUpload()
                ? Answer.ok(false)
                : asOwner.run(new ChangedFiles(settings, order, thorough, changedSuffix()));
        hasSecondNames |= !(changed instanceof Answer.Ok<Boolean> ok) || ok.value();
        return changed.then(any -> asOwner.run(new CopyTrees(settings, order, thorough), this::isProgress));
    }

    private boolean isProgress(final String line) {
        final Optional<CopyProgress> read = ProgressLine.read(order.transfer(), line);
        read.ifPresent(progress);
        return read.isPresent();
    }

    private Answer<CompareTrees.Compared> compare() {
        return asOwner.run(new CompareTrees(settings, order));
    }

    private Answer<String> differs(final List<String> differences) {
        return Answer.trouble(
                Answer.Kind.REJECTED,
                "copying " + order.from() + " to " + order.to() + ": both sides still differ (rsync's marks: "
                        + RsyncErrors.named(differences)
                        + "); stop any program that writes to the source or the"
                        + " destination, then repeat the copy");
    }
}
