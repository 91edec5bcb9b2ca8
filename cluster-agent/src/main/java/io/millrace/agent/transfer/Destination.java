package io.millrace.agent.transfer;

import io.millrace.agent.wlm.Answer;
import io.millrace.agent.wlm.Runner;
import io.millrace.model.UserName;
import io.millrace.model.transfer.Place;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a tree arrives. Below the staging root it is made, for its owner alone; anywhere else it is the owner's own folder and must be
 * there already.
 */
record Destination(TransferSettings settings, UserName owner, Place place) {

    Answer<Boolean> prepare(final Runner asOwner) {
        final List<String> arriving = List.of(place.path() + "/" + Rsync.ARRIVING);
        final Answer<Boolean> ready =
                isStaging() ? makeStaging(asOwner) : asOwner.run(new OwnedFolders(List.of(place.path()), owner, true));
        return ready.then(yes -> asOwner.run(new MakeFolders(arriving, "let user '" + owner + "' write there")))
                .then(yes -> asOwner.run(new OwnedFolders(arriving, owner, false)));
    }

    private boolean isStaging() {
        return place.path().startsWith(settings.stagingRoot() + "/");
    }

    private Answer<Boolean> makeStaging(final Runner asOwner) {
        final String inside = place.path().substring(settings.stagingRoot().length() + 1);
        final String[] names = inside.split("/", -1);
        if (names.length < 2
                || !names[0].equals(owner.value())
                || !List.of(names).stream().allMatch(Destination::isName)) {
            return Answer.trouble(
                    Answer.Kind.DENIED,
                    "'" + place.path() + "' is no staging folder of user '" + owner + "'; expected "
                            + settings.stagingRoot() + "/" + owner + "/ATTEMPT");
        }
        final List<String> folders = new ArrayList<>();
        String folder = settings.stagingRoot();
        for (final String name : names) {
            folder = folder + "/" + name;
            folders.add(folder);
        }
        final String remedy = "owners must be able to make their folder in '" + settings.stagingRoot()
                + "': as root, install -d -m 1777 " + settings.stagingRoot();
        return asOwner.run(new MakeFolders(folders, remedy))
                .then(yes -> asOwner.run(new OwnedFolders(folders, owner, false)));
    }

    private static boolean isName(final String name) {
        return !name.isEmpty() && !name.equals(".") && !name.equals("..");
    }
}
