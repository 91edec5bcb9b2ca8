package io.millrace.model.cluster;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The supported versions of a workload manager, which the guide lists. Another version may print or accept something else, so it is
 * reported, and nothing is refused for it.
 *
 * @param product first word of what an adapter publishes, such as {@code slurm 22.05.8}
 * @param first oldest version; all versions that begin with it are meant
 * @param last newest version; all versions that begin with it are meant
 * @param named versions without a number
 * @param basis what the adapter was tried with, for the guide
 */
public record SupportedVersions(String product, String first, String last, Set<String> named, String basis) {

    public static final List<SupportedVersions> ALL = List.of(
            new SupportedVersions("slurm", "22.05", "26.05", Set.of(), "22.05.8, 24.11.7 and 26.05.3, live"),
            new SupportedVersions(
                    "pbs", "14", "23.06", Set.of(), "OpenPBS 23.06.06, live; older ones and PBS Pro by their manuals"),
            new SupportedVersions(
                    "torque",
                    "2",
                    "6",
                    Set.of("master"),
                    "the development version after 6.1 (`master`), live; OpenPBS 2.3 and older ones by their manuals"),
            new SupportedVersions("openlava", "4", "4", Set.of(), "OpenLava 4.0, live"),
            new SupportedVersions("lsf", "9.1", "10.1", Set.of(), "by the manuals of IBM"));

    private static final Map<String, SupportedVersions> BY_PRODUCT =
            ALL.stream().collect(Collectors.toMap(SupportedVersions::product, Function.identity()));

    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}(\\.\\d{1,9})*");

    /** PBS Professional counts its versions by years since 2020: 2022.1 is newer than 19.2 and older than 23.06. */
    private static final int CENTURY = 2000;

    /**
     * Why this version is not a supported one, with the remedy; empty if it is, or if nothing is known of the product.
     *
     * @param wlm product and version as an adapter publishes them
     */
    public static Optional<String> problem(final String wlm) {
        final String[] words = wlm.strip().split("\\s+", 2);
        final SupportedVersions supported = BY_PRODUCT.get(words[0]);
        return supported == null || words.length > 1 && supported.contains(words[1])
                ? Optional.empty()
                : Optional.of(wlm.strip() + " is not a supported version (" + supported.range()
                        + "); test the installation with 'millrace-agent accept'");
    }

    /** For example {@code 22.05 to 26.05}. */
    public String range() {
        return first.equals(last) ? last : first + " to " + last;
    }

    private boolean contains(final String version) {
        final Matcher number = NUMBER.matcher(version);
        return number.find()
                ? compare(number.group(), first) >= 0 && compare(number.group(), last) <= 0
                : named.contains(version);
    }

    /** Compares as many parts as the bound has. */
    private static int compare(final String version, final String bound) {
        final String[] parts = version.split("\\.");
        final String[] limits = bound.split("\\.");
        for (int i = 0; i < limits.length; i++) {
            final int part = i < parts.length ? Integer.parseInt(parts[i]) : 0;
            final int difference = Integer.compare(part > CENTURY ? part - CENTURY : part, Integer.parseInt(limits[i]));
            if (difference != 0) {
                return difference;
            }
        }
        return 0;
    }
}
