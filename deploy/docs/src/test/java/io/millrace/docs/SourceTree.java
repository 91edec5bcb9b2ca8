package io.millrace.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** The files of the project, without build output. */
final class SourceTree {

    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final Set<String> SKIPPED = Set.of("target", "node_modules", "experiments");

    private SourceTree() {}

    /** The files whose path from the root matches, in the order of their paths. */
    static List<Path> files(final Predicate<String> path) {
        final List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(final Path folder, final BasicFileAttributes attributes) {
                    final String name = folder.getFileName().toString();
                    final boolean skipped = !folder.equals(ROOT) && (name.startsWith(".") || SKIPPED.contains(name));
                    return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes) {
                    if (path.test(ROOT.relativize(file).toString())) {
                        found.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        return found.stream().sorted().toList();
    }

    static String read(final Path file) {
        try {
            return Files.readString(file);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
