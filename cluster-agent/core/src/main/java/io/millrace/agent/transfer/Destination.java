package io.millrace.agent.transfer;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.transfer.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * The destination folder of a copy. Below the staging root it is created with access for its owner only. Elsewhere it must exist and
 * belong to the owner.
 */
record Destination(TransferSettings settings, CopyTree order) {

    Answer<Boolean> prepare(final Runner asOwner) {
        final List<String> arriving = List.of(path() + "/" + Rsync.ARRIVING, path() + "/" + Rsync.arriving(order));
        return isStaging(settings, order.to())
                ? makeStaging(asOwner, arriving)
                : asOwner.run(new MakeFolders(
                        path(), arriving, "let user '" + order.owner() + "' write to '" + path() + "'"));
    }

    static boolean isStaging(final TransferSettings settings, final Place place) {
        return place.path().startsWith(settings.stagingRoot() + "/");
    }

    private Answer<Boolean> makeStaging(final Runner asOwner, final List<String> arriving) {
        final String inside = path().substring(settings.stagingRoot().length() + 1);
        final String[] names = inside.split("/", -1);
        if (names.length < 2
                || !names[0].equals(order.owner().value())
                || !List.of(names).stream().allMatch(Destination::isName)) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "'" + path() + "' is not a staging folder of user '" + order.owner() + "'; expected "
                            + settings.stagingRoot() + "/" + order.owner() + "/ATTEMPT");
        }
        final List<String> folders = new ArrayList<>();
        String folder = settings.stagingRoot();
        for (final String name : names) {
            folder = folder + "/" + name;
            folders.add(folder);
        }
        folders.addAll(arriving);
        return asOwner.run(new MakeFolders(
                null,
                folders,
                "'" + settings.stagingRoot() + "/" + order.owner() + "' must belong to user '" + order.owner()
                        + "', or owners must be able to create theirs in '" + settings.stagingRoot()
                        + "' (mode 1777)"));
    }

    private String path() {
        return order.to().path();
    }

    private static boolean isName(final String name) {
        return !name.isEmpty() && !name.equals(".") && !name.equals("..");
    }
}
