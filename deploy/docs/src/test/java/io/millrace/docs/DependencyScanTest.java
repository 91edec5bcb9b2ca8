package io.millrace.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the libraries of every module, and of the packaged services, with a list of known advisories. It needs no network. */
class DependencyScanTest {

    /** A library in a local Maven repository: folders of the group, artifact, version. */
    private static final Pattern IN_REPOSITORY =
            Pattern.compile(".*/repository/(?<group>.+)/(?<artifact>[^/]+)/(?<version>[^/]+)/[^/]+\\.jar");

    /** A library in a package: the artifact, in quarkus-app after its group, and the version. */
    private static final Pattern IN_PACKAGE = Pattern.compile(
            "(?<name>[A-Za-z0-9_.-]+?)-(?<version>[0-9][A-Za-z0-9_.+-]*?)(-linux-[a-z0-9_]+|-classes)?\\.jar");

    private static final List<Advisory> ADVISORIES = advisories();

    /** @param accepted why Millrace is not affected although the version is; null: the version is refused */
    private record Advisory(
            String id,
            String group,
            String artifact,
            String from,
            String fixed,
            @Nullable String accepted) {

        boolean affects(final String found, final String version) {
            return isOf(found) && compare(version, from) >= 0 && compare(version, fixed) < 0;
        }

        /** @param found group:artifact, or a file name that may begin with the group */
        private boolean isOf(final String found) {
            if (artifact.equals("*")) {
                // netty-tcnative has versions of its own.
                return (found.startsWith(group + ":") || found.startsWith(group + ".")) && !found.contains("tcnative");
            }
            return found.equals(group + ":" + artifact)
                    || found.equals(group + "." + artifact)
                    || found.equals(artifact);
        }
    }

    @Test
    void no_module_uses_a_library_with_a_known_vulnerability() throws IOException {
        final Map<String, Set<String>> used = new TreeMap<>();
        for (final Path file : files("target/test-classpath")) {
            for (final String jar : Files.readString(file).split(":")) {
                final Matcher library = IN_REPOSITORY.matcher(jar);
                if (library.matches()) {
                    used.computeIfAbsent(
                                    library.group("group").replace('/', '.') + ":" + library.group("artifact"),
                                    name -> new TreeSet<>())
                            .add(library.group("version"));
                }
            }
        }
        assumeTrue(!used.isEmpty(), "no module has a target/test-classpath; './millrace test' writes them");
        assertThat(used).containsKeys("org.apache.kafka:kafka-clients", "io.netty:netty-handler");
        assertThat(vulnerable(used)).isEmpty();
    }

    @Test
    void no_packaged_service_has_a_library_with_a_known_vulnerability() throws IOException {
        final Map<String, Set<String>> packaged = new TreeMap<>();
        for (final Path folder : files("target/quarkus-app/lib", "target/lib")) {
            try (Stream<Path> jars = Files.walk(folder)) {
                jars.map(jar -> IN_PACKAGE.matcher(jar.getFileName().toString()))
                        .filter(Matcher::matches)
                        .forEach(jar -> packaged.computeIfAbsent(jar.group("name"), name -> new TreeSet<>())
                                .add(jar.group("version")));
            }
        }
        assumeTrue(!packaged.isEmpty(), "no service is packaged; './millrace test' packages them");
        assertThat(packaged).containsKey("org.apache.kafka.kafka-clients");
        assertThat(vulnerable(packaged)).isEmpty();
    }

    @Test
    void the_scan_finds_an_affected_version() {
        assertThat(vulnerable(Map.of("org.apache.kafka:kafka-clients", Set.of("4.1.1"))))
                .singleElement()
                .asString()
                .contains("CVE-2026-35554");
        assertThat(vulnerable(Map.of("io.netty.netty-codec-http2", Set.of("4.1.130.Final"))))
                .isNotEmpty();
        assertThat(vulnerable(Map.of("kafka-clients", Set.of("4.1.2", "4.2.0"))))
                .isEmpty();
    }

    /** This is why two advisories about Quarkus are accepted. */
    @Test
    void no_service_has_path_based_policies_or_static_files() {
        for (final Path file : SourceTree.files(path -> path.contains("/src/main/resources/application."))) {
            assertThat(SourceTree.read(file)).as(file.toString()).doesNotContain("permission:", "auth.permission");
        }
        assertThat(SourceTree.files(path -> path.contains("META-INF/resources/")))
                .isEmpty();
    }

    private static List<String> vulnerable(final Map<String, Set<String>> libraries) {
        final List<String> found = new ArrayList<>();
        libraries.forEach((library, versions) -> versions.forEach(version -> ADVISORIES.stream()
                .filter(advisory -> advisory.accepted == null && advisory.affects(library, version))
                .forEach(advisory -> found.add(library + " " + version + ": " + advisory.id + ", fixed in "
                        + advisory.fixed + "; raise its version in pom.xml"))));
        return found;
    }

    private static List<Path> files(final String... endings) throws IOException {
        try (Stream<Path> paths = Files.find(
                SourceTree.ROOT,
                6,
                (path, attributes) -> Arrays.stream(endings).anyMatch(path::endsWith)
                        && !path.toString().contains("/.millrace/"))) {
            return paths.toList();
        }
    }

    private static List<Advisory> advisories() {
        try (Stream<String> lines =
                Files.lines(SourceTree.ROOT.resolve("deploy/docs/src/test/resources/advisories.csv"))) {
            return lines.filter(line -> !line.startsWith("#"))
                    .map(line -> line.split(",", 6))
                    .map(cells -> new Advisory(
                            cells[0], cells[1], cells[2], cells[3], cells[4], cells[5].isBlank() ? null : cells[5]))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Compares the numbers of two versions; qualifiers such as "Final" do not count. */
    private static int compare(final String one, final String other) {
        return Arrays.compare(numbers(one), numbers(other));
    }

    private static int[] numbers(final String version) {
        return Arrays.copyOf(
                Arrays.stream(version.split("[.-]"))
                        .takeWhile(part -> part.matches("\\d{1,9}"))
                        .mapToInt(Integer::parseInt)
                        .toArray(),
                4);
    }
}
