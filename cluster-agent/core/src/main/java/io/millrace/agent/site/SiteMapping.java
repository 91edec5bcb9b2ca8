package io.millrace.agent.site;

import io.millrace.agent.domain.SiteNames;
import io.millrace.model.ClusterId;
import io.millrace.model.cluster.SiteMappingObserved;
import io.millrace.sitefiles.WatchedFile;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of site users, projects and software to names of this cluster, read from a file that may change at any time, and the issuers
 * that this cluster accepts.
 */
public final class SiteMapping {

    private final SiteNames unmapped;
    private final @Nullable WatchedFile<SiteNames> file;

    private SiteMapping(final SiteNames unmapped, final @Nullable WatchedFile<SiteNames> file) {
        this.unmapped = unmapped;
        this.file = file;
    }

    /** No mapping: all names are the site's. */
    public static SiteMapping none(final ClusterId cluster) {
        return none(cluster, Set.of());
    }

    /** @param acceptedIssuers whose logins may vouch for the owners of jobs here, beside the cluster's own */
    public static SiteMapping none(final ClusterId cluster, final Set<ClusterId> acceptedIssuers) {
        return new SiteMapping(new SiteNames(accepting(SiteMappingObserved.none(cluster), acceptedIssuers)), null);
    }

    /**
     * @throws IllegalStateException if the file cannot be read or understood; names the line
     */
    public static SiteMapping of(final ClusterId cluster, final Path file) {
        return of(cluster, file, Set.of());
    }

    /**
     * @param acceptedIssuers whose logins may vouch for the owners of jobs here, beside the cluster's own
     * @throws IllegalStateException if the file cannot be read or understood; names the line
     */
    public static SiteMapping of(final ClusterId cluster, final Path file, final Set<ClusterId> acceptedIssuers) {
        final String kind = "site mapping file";
        return new SiteMapping(
                SiteNames.same(cluster),
                new WatchedFile<>(
                        kind,
                        file,
                        text -> new SiteNames(
                                accepting(SiteMappingFile.read(cluster, kind + " " + file, text), acceptedIssuers))));
    }

    private static SiteMappingObserved accepting(final SiteMappingObserved mapping, final Set<ClusterId> issuers) {
        return issuers.isEmpty() ? mapping : mapping.accepting(issuers);
    }

    /** Reads the file again if it has changed. */
    void refresh() {
        if (file != null) {
            file.refresh();
        }
    }

    public SiteNames names() {
        return file == null ? unmapped : file.content();
    }

    /** The mapping to publish; null if there is nothing to say. */
    @Nullable
    SiteMappingObserved published() {
        final SiteMappingObserved mapping = names().siteMapping();
        return file == null && mapping.acceptedIssuers() == null ? null : mapping;
    }

    /** What is wrong with the file; null if it is valid. */
    @Nullable
    public String problem() {
        return file == null ? null : file.problem();
    }
}
