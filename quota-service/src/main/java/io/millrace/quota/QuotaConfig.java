package io.millrace.quota;

import io.millrace.model.view.Retry;
import io.millrace.quota.domain.QuotaPolicy;
import io.millrace.quota.domain.VictimOrder;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The settings of quota-service. */
@ConfigMapping(prefix = "millrace.quota")
public interface QuotaConfig {

    /** YAML file with the site's quotas ({@code quotas: {cluster: {user: cores}}}), merged when the service starts to decide. */
    Optional<Path> file();

    /** Cores guaranteed to whoever has no quota. */
    @WithDefault("0")
    int defaultCores();

    /** Whose job is taken first: newest-first, oldest-first, fewest-cores-first or most-cores-first. */
    @WithDefault("newest-first")
    VictimOrder victims();

    /** How long a reclaim may wait for its agent; at most an hour. */
    @WithDefault("2m")
    Duration reclaimValidity();

    /** A cluster whose newest revision is older than this is silent: nothing is taken there. */
    @WithDefault("2m")
    Duration silentAfter();

    /** Pause after a reclaim that failed; doubles with each further failure. */
    @WithDefault("30s")
    Duration firstPause();

    /** The longest such pause. */
    @WithDefault("15m")
    Duration longestPause();

    default QuotaPolicy policy() {
        return new QuotaPolicy(victims(), reclaimValidity(), silentAfter(), new Retry(firstPause(), longestPause()));
    }
}
