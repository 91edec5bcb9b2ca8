package io.millrace.agent.transfer;

import io.millrace.agent.exec.Runner;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.UserName;
import io.millrace.model.transfer.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * The destination folder of a copy. Below the staging root it is created with access for its owner only. Elsewhere it must exist and
 * belong to the owner.
 */
record Destination(TransferSettings settings, UserName owner, Place place) {

    Answer<Boolean> prepare(final Runner asOwner) {
        final String arriving = place.path() + "/" + Rsync.ARRIVING;
        return isStaging(settings, place)
                ? makeStaging(asOwner, arriving)
                : asOwner.run(new MakeFolders(
                        place.path(), List.of(arriving), "let user '" + owner + "' write to '" + place.path() + "'"));
    }

    static boolean isStaging(final TransferSettings settings, final Place place) {
        return place.path().startsWith(settings.stagingRoot() + "/");
    }

    private Answer<Boolean> makeStaging(final Runner asOwner, final String arriving) {
        final String inside = place.path().substring(settings.stagingRoot().length() + 1);
        final String[] names = inside.split("/", -1);
        if (names.length < 2
                || !names[0].equals(owner.value())
                || !List.of(names).stream().allMatch(Destination::isName)) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "'" + place.path() + "' is not a staging folder of user '" + owner + "'; expected "
                            + settings.stagingRoot() + "/" + owner + "/ATTEMPT");
        }
        final List<String> folders = new ArrayList<>();
        String folder = settings.stagingRoot();
        for (final String name : names) {
            folder = folder + "/" + name;
            folders.add(folder);
        }
        folders.add(arriving);
        return asOwner.run(new MakeFolders(
                null,
                folders,
                "'" + settings.stagingRoot() + "/" + owner + "' must belong to user '" + owner
                        + "', or owners must be able to create theirs in '" + settings.stagingRoot()
                        + "' (mode 1777)"));
    }

    private static boolean isName(final String name) {
        return !name.isEmpty() && !name.equals(".") && !name.equals("..");
    }
}
