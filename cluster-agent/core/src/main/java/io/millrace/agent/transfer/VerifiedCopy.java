package io.millrace.agent.transfer;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.CopyTree;
import java.util.List;

/** A copy, a comparison and a digest. Files that differ after the copy (damaged or changed) are copied once more with checksums. */
record VerifiedCopy(TransferSettings settings, CopyTree order, Runner asOwner) {

    Answer<String> run() {
        return copy(false)
                .then(copied -> differences().then(found -> found.isEmpty() ? Answer.ok(copied) : again()))
                .then(copied -> asOwner.run(RemoveLeftovers.temporaryFiles(order.to()))
                        .then(yes -> asOwner.run(RemoveLeftovers.partialFiles(order.to())))
                        .then(yes -> asOwner.run(new DigestTree(settings, order.from(), order.to())))
                        .map(digest -> copied.files() + " files, " + copied.bytes() + " bytes, sha256 " + digest));
    }

    private Answer<CopyTrees.Copied> again() {
        return copy(true)
                .then(copied -> differences().then(still -> still.isEmpty() ? Answer.ok(copied) : differs(still)));
    }

    private Answer<CopyTrees.Copied> copy(final boolean thorough) {
        return asOwner.run(new CopyTrees(settings, order.from(), order.to(), thorough));
    }

    private Answer<List<String>> differences() {
        return asOwner.run(new CompareTrees(settings, order.from(), order.to()));
    }

    private Answer<CopyTrees.Copied> differs(final List<String> still) {
        return Answer.trouble(
                Answer.Kind.REJECTED,
                "copying " + order.from() + " to " + order.to() + ": both sides still differ (rsync's marks: "
                        + RsyncErrors.named(still) + "); stop any program that writes to the source or the"
                        + " destination, then repeat the copy");
    }
}
