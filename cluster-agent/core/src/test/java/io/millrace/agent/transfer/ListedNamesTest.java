package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.testing.Attack;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names in lists of files that come from another host. */
class ListedNamesTest {

    private static final long SEED = 20261128;
    private static final List<String> PARTS = List.of(
            "a", "..", ".", "...", "..b", "c..", ".ssh", " ", "..  ", "x y", "\n", "..\n", "\\", "\u00e9", "-n", "*");

    @TempDir
    private Path folder;

    @Test
    @Attack("a list of files from another cluster names a file outside of the tree")
    void a_name_that_leaves_the_tree_ends_the_list() throws Exception {
        for (final String name : List.of(
                "../x",
                "..",
                "a/../../x",
                "/etc/passwd",
                "a/..",
                "./../.ssh/authorized_keys",
                "./.././../x",
                "\\#056\\#056/x",
                "a\\#057..\\#057x")) {
            final Result result = names("7 good\n7 " + name + "\n7 other\n");

            assertThat(result.exit).as(name).isEqualTo(65);
            assertThat(result.names).as(name).containsExactly("7 good");
            assertThat(result.error).as(name).contains("the list of files has a name outside of the tree");
        }
    }

    @Test
    void any_other_name_is_kept_as_it_is() throws Exception {
        final Random random = new Random(SEED);
        final List<String> paths =
                Stream.generate(() -> path(random)).limit(400).toList();
        final List<String> good =
                paths.stream().filter(ListedNamesTest::isInside).toList();

        final Result result =
                names(good.stream().map(path -> "7 " + escaped(path)).collect(Collectors.joining("\n", "", "\n")));

        assertThat(result.exit).as(result.error).isZero();
        assertThat(result.names)
                .containsExactlyElementsOf(
                        good.stream().map(path -> "7 " + path).toList());
        assertThat(good).as("seed " + SEED).hasSizeGreaterThan(50).hasSizeLessThan(paths.size());
    }

    @Test
    @Attack("a list of files from another cluster is without end, or has names that are too long or too deep")
    void a_list_that_is_too_large_ends() throws Exception {
        final String longest = "n".repeat(255) + ("/" + "n".repeat(255)).repeat(15);
        final String deepest = "d/".repeat(Rsync.DEEPEST_NAME) + "f";
        assertThat(longest).hasSize(Rsync.LONGEST_NAME - 1);
        final Result good = names("7 " + longest + "\n7 " + deepest + "\n7 good\n", 3);
        assertThat(good.names).containsExactly("7 " + longest, "7 " + deepest, "7 good");
        assertThat(good.exit).as(good.error).isZero();

        for (final String bad : List.of(
                longest + "/x",
                "n".repeat(Rsync.LONGEST_NAME + 1),
                "d/" + deepest,
                "/".repeat(3 * Rsync.LONGEST_NAME),
                "d/".repeat(1000))) {
            final Result result = names("7 good\n7 " + bad + "\n7 other\n", 3);
            assertThat(result.exit).as(bad).isEqualTo(65);
            assertThat(result.names).as(bad).containsExactly("7 good");
            assertThat(result.error).hasSizeLessThan(5 * Rsync.LONGEST_NAME);
        }
        final Result many = names("7 a\n7 b\n7 c\n7 d\n7 e\n", 3);
        assertThat(many.exit).isEqualTo(65);
        assertThat(many.names).containsExactly("7 a", "7 b", "7 c");
        assertThat(many.error).contains("the list of files has too many names");

        final Process endless = new ProcessBuilder(
                        "bash", "-c", "set -o pipefail; yes '7 name' | " + Rsync.names(1, 100_000) + "wc -c")
                .redirectErrorStream(true)
                .start();
        final String printed = new String(endless.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(endless.waitFor()).as(printed).isNotZero();
        assertThat(printed).contains("too many names", Integer.toString(100_000 * "7 name ".length()));
    }

    @Test
    @Attack("a name in a list of files leads through a link that has arrived before")
    void a_name_below_a_link_is_not_used() throws Exception {
        Files.createDirectories(folder.resolve("home/.ssh"));
        Files.createDirectories(folder.resolve("tree/a/b"));
        Files.createSymbolicLink(folder.resolve("tree/a/link"), folder.resolve("home/.ssh"));

        assertThat(inside("./a/b/file")).isTrue();
        assertThat(inside("./file")).isTrue();
        assertThat(inside("./a/link")).as("a link itself is replaced").isTrue();
        assertThat(inside("./a/link/authorized_keys")).isFalse();
        assertThat(inside("./a/link/c/d")).isFalse();
    }

    private record Result(int exit, List<String> names, String error) {}

    private static Result names(final String list) throws Exception {
        return names(list, 1_000);
    }

    private static Result names(final String list, final int most) throws Exception {
        final Process bash = new ProcessBuilder(
                        "bash", "-c", "set -o pipefail; export LC_ALL=C\n" + Rsync.names(1, most) + "cat")
                .start();
        try (var input = bash.getOutputStream()) {
            input.write(list.getBytes(StandardCharsets.UTF_8));
        }
        final ByteArrayOutputStream output = new ByteArrayOutputStream();
        bash.getInputStream().transferTo(output);
        final String error = new String(bash.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        final List<String> names = Arrays.stream(
                        output.toString(StandardCharsets.UTF_8).split("\0"))
                .filter(name -> !name.isEmpty())
                .toList();
        return new Result(bash.waitFor(), names, error);
    }

    private boolean inside(final String name) throws Exception {
        return new ProcessBuilder("bash", "-c", Rsync.INSIDE + "inside \"$1\"", "inside", name)
                        .directory(folder.resolve("tree").toFile())
                        .start()
                        .waitFor()
                == 0;
    }

    private static String path(final Random random) {
        final String path = IntStream.rangeClosed(0, random.nextInt(4))
                .mapToObj(i -> PARTS.get(random.nextInt(PARTS.size())))
                .collect(Collectors.joining("/"));
        return random.nextInt(8) == 0 ? "/" + path : path;
    }

    private static boolean isInside(final String path) {
        return !path.startsWith("/") && Arrays.stream(path.split("/", -1)).noneMatch(".."::equals);
    }

    /** As rsync prints names: a backslash before three digits is escaped, and so is every special byte. */
    private static String escaped(final String path) {
        return path.replace("\n", "\\#012");
    }
}
