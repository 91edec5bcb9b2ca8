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
 * The mapping of site users, projects and software to names of this cluster, read from a file that may change at any time. While the file
 * cannot be read, the last valid version stays in use and {@link #problem} describes the error.
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

    /** No mapping: all names are the site's. */
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

    /** Reads the file again if it has changed. */
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
            LOG.atInfo().addKeyValue("cluster", cluster).log("read the site mapping from {}", file);
        } catch (final IOException | UncheckedIOException e) {
            report(name() + " cannot be read (" + e + ")");
        } catch (final IllegalArgumentException e) {
            report(String.valueOf(e.getMessage()));
        }
    }

    private String name() {
        return "site mapping file " + file;
    }

    private void report(final String reason) {
        if (!reason.equals(problem)) {
            LOG.error("{}; the last valid version stays in use", reason);
        }
        problem = reason;
    }

    public SiteNames names() {
        return names;
    }

    /** The mapping to publish; null if there is no file. */
    @Nullable
    SiteMappingObserved published() {
        return file == null ? null : names.siteMapping();
    }

    /** What is wrong with the file; null if it is valid. */
    @Nullable
    public String problem() {
        return problem;
    }
}
