package io.millrace.agent.transfer;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.exec.Runner;
import io.millrace.agent.transfer.objectstore.BuildTree;
import io.millrace.agent.transfer.objectstore.FindObjects;
import io.millrace.agent.transfer.objectstore.ObjectPipe;
import io.millrace.agent.transfer.objectstore.ObjectStore;
import io.millrace.agent.transfer.objectstore.OwnerWords;
import io.millrace.agent.transfer.objectstore.RcloneCommand;
import io.millrace.agent.transfer.objectstore.StoredTree;
import io.millrace.agent.transfer.objectstore.StoredTree.LargeFile;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.AttemptId;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Action.SendTree;
import io.millrace.model.transfer.CopyProgress;
import io.millrace.model.transfer.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends trees to the object store, and fetches them. See ADR 37.
 *
 * <pre>
 *   OWNER/objects/SHA-256              contents of a large file, for all transfers of the owner
 *   OWNER/TRANSFER/tree-FINGERPRINT    all else, as a tar archive
 *   OWNER/TRANSFER/manifest            written last
 * </pre>
 */
final class StoreCopies {

    private static final String OBJECTS = "objects";
    private static final String MANIFEST = "manifest";
    private static final int NAMED = 16;

    private final TransferSettings settings;
    private final ObjectStore store;
    private final Runner agent;
    private final Turns turns = new Turns();

    /** @param agent runs with the rights of the agent, for the credentials of the store */
    StoreCopies(final TransferSettings settings, final ObjectStore store, final Runner agent) {
        this.settings = settings;
        this.store = store;
        this.agent = agent;
    }

    String name() {
        return store.name();
    }

    /** Writes the tree to the store. Large files that are in the store are not sent. The answer describes the tree. */
    Answer<String> send(final SendTree order, final Runner asOwner, final Consumer<CopyProgress> progress) {
        final ListTree list = new ListTree(settings, order, true);
        return asOwner.run(list).then(listing -> {
            final StoreProgress reached = new StoreProgress(order.transfer(), listing.bytes(), progress);
            return archive(order, asOwner, list, listing, reached)
                    .then(tree -> sendObjects(order, asOwner, tree.files(), reached)
                            .then(sent -> unchanged(order, asOwner, listing))
                            .then(yes -> run(RcloneCommand.write(
                                    store,
                                    settings.stall(),
                                    path(order.owner(), order.transfer(), MANIFEST),
                                    tree.text()))))
                    .map(written -> listing.files() + " files, " + listing.bytes() + " bytes, in object store '"
                            + store.name() + "'");
        });
    }

    private Answer<StoredTree> archive(
            final SendTree order,
            final Runner asOwner,
            final ListTree list,
            final ListTree.Listing listing,
            final StoreProgress reached) {
        final String name = "tree-" + listing.fingerprint().substring(0, NAMED);
        final long large = listing.large().stream().mapToLong(LargeFile::bytes).sum();
        return write(
                        order,
                        asOwner.words(list.archive()),
                        List.of("rcat", path(order.owner(), order.transfer(), name)),
                        reached)
                .map(sum -> {
                    reached.completed(Math.max(0, listing.bytes() - large));
                    return new StoredTree(name, sum, listing.large());
                });
    }

    private Answer<String> write(
            final SendTree order, final List<String> owner, final List<String> rcat, final StoreProgress reached) {
        return agent.run(
                ObjectPipe.write(
                        store,
                        settings.stall(),
                        settings.longest(),
                        settings.bandwidth_kib_s(order.bandwidthKibPerSecond()),
                        owner,
                        rcat),
                reached::take);
    }

    /** Transfers of one owner take turns, so that each file is sent once. */
    private Answer<Boolean> sendObjects(
            final SendTree order, final Runner asOwner, final List<LargeFile> files, final StoreProgress reached) {
        if (files.isEmpty()) {
            return Answer.ok(true);
        }
        final String folder = path(order.owner(), OBJECTS) + "/";
        return turns.in(
                folder,
                () -> run(RcloneCommand.list(store, settings.stall(), folder)).then(present -> {
                    final Map<String, Long> sizes = sizes(present);
                    for (final LargeFile file : distinct(files).values()) {
                        if (!Long.valueOf(file.bytes()).equals(sizes.get(file.sum()))
                                && send(order, asOwner, file, reached) instanceof Answer.Trouble<Boolean> no) {
                            return no;
                        }
                        reached.completed(file.bytes());
                    }
                    return Answer.ok(true);
                }));
    }

    private Answer<Boolean> send(
            final SendTree order, final Runner asOwner, final LargeFile file, final StoreProgress reached) {
        final String path = path(order.owner(), OBJECTS, file.sum());
        final Answer<String> sum = write(
                order,
                asOwner.words(OwnerWords.send(order.from().path(), file.name(), settings.longest())),
                List.of("rcat", "--size=" + file.bytes(), path),
                reached);
        if (sum instanceof Answer.Ok<String> ok && ok.value().equals(file.sum())) {
            return Answer.ok(true);
        }
        run(RcloneCommand.removeObject(store, settings.stall(), path)); // it may be incomplete
        return sum.then(other -> changed(order));
    }

    private Answer<Boolean> unchanged(final SendTree order, final Runner asOwner, final ListTree.Listing before) {
        return asOwner.run(new ListTree(settings, order, false))
                .then(after -> after.fingerprint().equals(before.fingerprint()) ? Answer.ok(true) : changed(order));
    }

    private static Answer<Boolean> changed(final SendTree order) {
        return Answer.trouble(
                Answer.Kind.REJECTED,
                "files in " + order.from() + " changed while they were sent; stop any program that writes there, then"
                        + " repeat the copy");
    }

    /**
     * Fetches the tree to a folder in the destination, with the rights of the owner. The answer is that folder. Objects that have arrived or
     * are in the cache are not fetched again.
     */
    Answer<Place> fetch(final CopyTree order, final Runner asOwner, final Consumer<CopyProgress> progress) {
        final String to = order.to().path() + "/";
        return run(RcloneCommand.read(store, settings.stall(), path(order.owner(), order.transfer(), MANIFEST)))
                .then(StoredTree::read)
                .then(tree -> fetchObjects(order, asOwner, tree, progress)
                        .then(reached -> fetchArchive(order, asOwner, tree, reached))
                        .then(yes -> asOwner.run(
                                new BuildTree(to + built(order), to + fetched(order), tree, settings.longest()))))
                .map(built -> new Place(order.to().cluster(), null, to + built(order)));
    }

    /** Transfers of one owner take turns, so that the second one finds the files of the first in the cache. */
    private Answer<StoreProgress> fetchObjects(
            final CopyTree order, final Runner asOwner, final StoredTree tree, final Consumer<CopyProgress> progress) {
        final String cache = FileCache.folderFor(settings, order);
        return cache == null
                ? fetchMissing(order, asOwner, tree, null, progress)
                : turns.in(cache, () -> fetchMissing(order, asOwner, tree, cache, progress));
    }

    private Answer<StoreProgress> fetchMissing(
            final CopyTree order,
            final Runner asOwner,
            final StoredTree tree,
            final @Nullable String cache,
            final Consumer<CopyProgress> progress) {
        return asOwner.run(new FindObjects(order.to().path(), fetched(order), cache, tree, settings.longest()))
                .then(missing -> {
                    final List<LargeFile> files = distinct(tree.files()).values().stream()
                            .filter(file -> missing.containsKey(file.sum()))
                            .toList();
                    final StoreProgress reached = new StoreProgress(
                            order.transfer(),
                            files.stream().mapToLong(LargeFile::bytes).sum(),
                            progress);
                    for (final LargeFile file : files) {
                        final long arrived = missing.getOrDefault(file.sum(), 0L);
                        reached.completed(arrived);
                        if (fetchObject(order, asOwner, file, arrived, reached) instanceof Answer.Trouble<String> no) {
                            return no.of();
                        }
                        reached.completed(file.bytes() - arrived);
                    }
                    if (cache != null && !files.isEmpty()) {
                        asOwner.run(new StoreObjectsInCache(
                                order.to().path() + "/" + fetched(order),
                                cache,
                                tree,
                                settings.cache_bytes(),
                                settings.longest()));
                    }
                    return Answer.ok(reached);
                });
    }

    /** @param arrived how many bytes of the object have arrived before */
    private Answer<String> fetchObject(
            final CopyTree order,
            final Runner asOwner,
            final LargeFile file,
            final long arrived,
            final StoreProgress reached) {
        return read(
                order,
                asOwner.words(OwnerWords.resume(
                        order.to().path() + "/" + fetched(order),
                        file.sum(),
                        file.bytes(),
                        arrived,
                        settings.longest())),
                path(order.owner(), OBJECTS, file.sum()),
                arrived,
                reached);
    }

    private Answer<String> fetchArchive(
            final CopyTree order, final Runner asOwner, final StoredTree tree, final StoreProgress reached) {
        return read(
                order,
                asOwner.words(OwnerWords.receive(
                        order.to().path() + "/" + fetched(order), tree.archiveSum(), settings.longest())),
                path(order.owner(), order.transfer(), tree.archive()),
                0,
                reached);
    }

    private static String fetched(final CopyTree order) {
        return Rsync.working(order, "objects");
    }

    private static String built(final CopyTree order) {
        return Rsync.working(order, "tree");
    }

    private Answer<String> read(
            final CopyTree order,
            final List<String> owner,
            final String path,
            final long offset,
            final StoreProgress reached) {
        final Answer<String> read = agent.run(
                ObjectPipe.read(
                        store,
                        settings.stall(),
                        settings.longest(),
                        settings.bandwidth_kib_s(order.bandwidthKibPerSecond()),
                        owner,
                        path,
                        offset),
                reached::take);
        return read instanceof Answer.Trouble<String> no && no.kind() == Answer.Kind.UNREADABLE
                ? run(RcloneCommand.removeObject(store, settings.stall(), path))
                        .then(removed -> Answer.trouble(no.kind(), no.reason() + "; the next try sends it again"))
                : read;
    }

    /** Removes the objects of an attempt, and with the last attempt of the owner the large files. */
    Answer<String> remove(final UserName owner, final AttemptId attempt) {
        return run(RcloneCommand.removeFolder(store, settings.stall(), path(owner, attempt.toString())))
                .then(removed -> run(RcloneCommand.list(store, settings.stall(), path(owner))))
                .then(left -> left.lines().allMatch(line -> line.endsWith(" " + OBJECTS + "/"))
                        ? run(RcloneCommand.removeFolder(store, settings.stall(), path(owner)))
                        : Answer.ok(""));
    }

    private <T> Answer<T> run(final CommandLine<T> command) {
        return agent.run(command);
    }

    private String path(final UserName owner, final TransferId transfer, final String name) {
        return path(owner, transfer.value(), name);
    }

    private String path(final UserName owner, final String... names) {
        final List<String> all = new ArrayList<>(List.of(owner.value()));
        all.addAll(List.of(names));
        return store.path(all.toArray(String[]::new));
    }

    /** One file for each contents. */
    private static Map<String, LargeFile> distinct(final List<LargeFile> files) {
        final Map<String, LargeFile> all = new LinkedHashMap<>();
        files.forEach(file -> all.putIfAbsent(file.sum(), file));
        return all;
    }

    private static Map<String, Long> sizes(final String listing) {
        final Map<String, Long> all = new HashMap<>();
        listing.lines()
                .map(line -> line.split(" ", 2))
                .filter(parts -> parts.length == 2 && parts[0].matches("\\d{1,18}"))
                .forEach(parts -> all.put(parts[1], Long.valueOf(parts[0])));
        return all;
    }
}
