package io.millrace.submit.domain.handler;

import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * How usage records are written to files.
 *
 * @param zone in which a day or month begins
 */
public record UsageFileSettings(Path folder, Set<Format> formats, Every every, ZoneId zone) {

    /** What a file looks like. */
    public enum Format {
        CSV,
        /** Standard Workload Format 2.2. */
        SWF;

        String suffix() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How long one file is written to. */
    public enum Every {
        DAY("yyyy-MM-dd"),
        MONTH("yyyy-MM");

        private final DateTimeFormatter name;

        Every(final String pattern) {
            this.name = DateTimeFormatter.ofPattern(pattern, Locale.ROOT);
        }
    }

    public UsageFileSettings {
        formats = Set.copyOf(EnumSet.copyOf(formats));
    }

    /** The file of runs that ended then, e.g. {@code usage-2026-11-21.csv}. */
    public String file(final Instant ended, final Format format) {
        return "usage-" + every.name.format(ended.atZone(zone)) + "." + format.suffix();
    }
}
