package io.millrace.agent.site;

import io.millrace.agent.domain.SiteNames;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.SiteMappingObserved;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this cluster calls the site's users, projects and software, read from a file that may change at any time. A file that cannot be
 * read leaves what was read before in force, and says so until it is repaired.
 */
public final class SiteMapping {

    private static final Logger LOG = LoggerFactory.getLogger(SiteMapping.class);

    private final ClusterId cluster;
    private final @Nullable Path file;
    private volatile SiteNames names;
    private volatile @Nullable String problem;
    private @Nullable Version read;

    private record Version(
            FileTime changed, long size, @Nullable Object inode) {}

    private SiteMapping(final ClusterId cluster, final @Nullable Path file) {
        this.cluster = cluster;
        this.file = file;
        this.names = SiteNames.same(cluster);
    }

    /** Everybody and everything goes by the site's own names. */
    public static SiteMapping none(final ClusterId cluster) {
        return new SiteMapping(cluster, null);
    }

    /**
     * @throws IllegalStateException if the file cannot be read or understood; names the line
     */
    public static SiteMapping of(final ClusterId cluster, final Path file) {
        final SiteMapping opened = new SiteMapping(cluster, file);
        opened.refresh();
        final String bad = opened.problem;
        if (bad != null) {
            throw new IllegalStateException(bad);
        }
        return opened;
    }

    /** Takes up a change of the file, if there is one. */
    void refresh() {
        if (file == null) {
            return;
        }
        try {
            final var found = Files.readAttributes(file, BasicFileAttributes.class);
            final Version now = new Version(found.lastModifiedTime(), found.size(), found.fileKey());
            if (now.equals(read)) {
                return;
            }
            read = now;
            names = new SiteNames(SiteMappingFile.read(cluster, name(), Files.readString(file)));
            problem = null;
            LOG.info("the surroundings of '{}' are those of {}", cluster, file);
        } catch (final IOException | UncheckedIOException e) {
            complain(name() + " cannot be read (" + e + ")");
        } catch (final IllegalArgumentException e) {
            complain(String.valueOf(e.getMessage()));
        }
    }

    private String name() {
        return "surroundings file " + file;
    }

    private void complain(final String says) {
        if (!says.equals(problem)) {
            LOG.error("{}; what was read before stays in force", says);
        }
        problem = says;
    }

    public SiteNames names() {
        return names;
    }

    /** What goes on the log; null if there is no such file. */
    @Nullable
    SiteMappingObserved published() {
        return file == null ? null : names.surroundings();
    }

    /** What is wrong with the file; null if nothing is. */
    @Nullable
    public String problem() {
        return problem;
    }
}
