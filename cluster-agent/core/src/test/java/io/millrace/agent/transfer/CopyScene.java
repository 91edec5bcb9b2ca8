package io.millrace.agent.transfer;

import io.millrace.agent.exec.Accounts;
import io.millrace.agent.exec.ProcessRunner;
import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.ClusterId;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.FilterRule;
import io.millrace.model.transfer.Place;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A source folder, a staging root and copies between them, for one user. */
final class CopyScene {

    final Path source;
    final Path stagingRoot;
    final Path staged;
    final UserName owner;
    final TransferId upload = TransferId.of("01JQZ8Y6T0000000000000000A.1/upload");
    private List<String> ssh = TransferSettings.SSH;
    private @Nullable String host;
    private @Nullable Instant placed;
    private @Nullable Integer bandwidth_kib_s;
    private long cache_bytes;
    private List<FilterRule> inputs = List.of();
    private List<FilterRule> results = List.of();

    CopyScene(final Path folder, final String owner) throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        this.owner = UserName.of(owner);
        this.source = Files.createDirectory(folder.resolve("my job's \"dir\""));
        this.stagingRoot = Files.createDirectory(folder.resolve("staging"));
        this.staged = stagingRoot.resolve(owner + "/01JQZ8Y6T0000000000000000A.1");
        shell("chmod 1777 \"$1\"", stagingRoot);
        belongs(source);
    }

    /** The owner of most scenes: the current user, under root {@code nobody}. */
    static String ordinary() {
        return TestAccounts.ordinary().name().value();
    }

    static String me() {
        return System.getProperty("user.name");
    }

    CopyScene over(final String through, final List<String> command) {
        host = through;
        ssh = command;
        return this;
    }

    CopyScene slowly(final @Nullable Integer kib_s) {
        bandwidth_kib_s = kib_s;
        return this;
    }

    CopyScene caching(final long bytes) {
        cache_bytes = bytes;
        return this;
    }

    CopyScene filtering(final List<String> rulesOfInputs, final List<String> rulesOfResults) {
        inputs = rulesOfInputs.stream().map(FilterRule::of).toList();
        results = rulesOfResults.stream().map(FilterRule::of).toList();
        return this;
    }

    TreeCopies copies() {
        return new TreeCopies(
                (user, authority) -> new ProcessRunner(new Accounts()).as(user),
                new TransferSettings(
                        stagingRoot.toString(),
                        "here.example",
                        ssh,
                        Duration.ofSeconds(60),
                        Duration.ofSeconds(60),
                        Duration.ofMinutes(5),
                        cache_bytes));
    }

    CopyTree upload() {
        return new CopyTree(
                upload,
                owner,
                new Place(ClusterId.of("alpha"), host, source.toString()),
                place(staged),
                null,
                inputs,
                bandwidth_kib_s,
                "");
    }

    CopyTree download() {
        return new CopyTree(
                TransferId.of("01JQZ8Y6T0000000000000000A.1/download"),
                owner,
                new Place(ClusterId.of("beta"), host, staged.toString()),
                place(source),
                placed,
                results,
                null,
                "");
    }

    /** From now on, files that change at home are kept. */
    void jobIsPlaced() throws Exception {
        placed = Instant.parse(shell("date -u +%Y-%m-%dT%H:%M:%SZ").strip()).plusSeconds(1);
        shell("while (($(date +%s) < $1)); do sleep 0.05; done", Path.of(Long.toString(placed.getEpochSecond())));
    }

    Result copyUp() {
        return copies().copy(upload());
    }

    Result copyDown() {
        return copies().copy(download());
    }

    static Place place(final Path path) {
        return new Place(ClusterId.of("beta"), null, path.toString());
    }

    /** Names that break whatever treats them as text. */
    void fillWithTroublesomeNames() throws Exception {
        shell("""
            cd -- "$1"
            mkdir -p 'a b/c' empty -- '-rf'
            printf one > 'a b/with blank'
            printf two > "new
            line"
            printf three > 'quote'"'"'s "and" more'
            printf four > '-rf/--delete'
            printf five > "$(printf '\\303\\274n\\303\\257-\\345\\220\\215')"
            printf six > 'a b/c/back\\slash\\#012'
            printf seven > '$(touch hacked)`touch hacked`;*?[x]'
            printf eight > "$(printf 'not-utf8-\\377')"
            printf nine > .hidden
            head -c 300000 /dev/urandom > big
            : > nothing
            ln -s ../../elsewhere outside
            ln -s 'a b/with blank' inside
            ln -s nowhere dangling
            mkfifo pipe
            chmod 640 .hidden; chmod 755 big; touch -d '2001-02-03 04:05:06.789' .hidden
            """, source);
        belongs(source);
    }

    void belongs(final Path path) throws Exception {
        if (!owner.value().equals(me())) {
            shell("chown -hR -- '" + owner + ":' \"$1\"", path);
        }
    }

    /**
     * The tree as text: mode, size, time and checksum of each file; type, mode and target of folders and links, without
     * {@link Rsync#UPLOADED}.
     */
    static String listing(final Path tree) throws Exception {
        return shell("""
            cd -- "$1"
            find . -mindepth 1 -type f ! -name .millrace-uploaded -printf '%P|%m|%s|%T@\\0' | LC_ALL=C sort -z
            find . -mindepth 1 \\( -type d -o -type l \\) -printf '%P|%y|%m|%l\\0' | LC_ALL=C sort -z
            find . -type f ! -name .millrace-uploaded -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum -z --
            """, tree);
    }

    static String shell(final String text, final Path... arguments) throws Exception {
        final List<String> argv =
                new java.util.ArrayList<>(List.of("bash", "-eu", "-o", "pipefail", "-c", text, "test"));
        for (final Path argument : arguments) {
            argv.add(argument.toString());
        }
        final Process process =
                new ProcessBuilder(argv).redirectErrorStream(true).start();
        process.getOutputStream().close();
        final String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(said);
        }
        return said;
    }

    static List<String> names(final Path folder) throws Exception {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }

    static TreeMap<String, Object> inodes(final Path tree) throws Exception {
        final TreeMap<String, Object> inodes = new TreeMap<>();
        try (var files = Files.list(tree)) {
            for (final Path file : files.filter(Files::isRegularFile).toList()) {
                inodes.put(file.getFileName().toString(), Files.getAttribute(file, "unix:ino"));
            }
        }
        return inodes;
    }
}
