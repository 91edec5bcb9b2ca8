package io.millrace.submit.handlers;

import io.millrace.sitefiles.InvalidEntryException;
import io.millrace.sitefiles.YamlFile;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.UsageFileSettings;
import io.millrace.submit.domain.handler.UsageFileSettings.Every;
import io.millrace.submit.domain.handler.UsageFileSettings.Format;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the site's handlers and settings of usage files; the integrator guide shows the file. */
public final class HandlersFile {

    private HandlersFile() {}

    /** The content of the file. */
    public record HandlersConfig(List<Handler> handlers, Optional<UsageFileSettings> records) {
        public static final HandlersConfig NOTHING = new HandlersConfig(List.of(), Optional.empty());

        public HandlersConfig {
            handlers = List.copyOf(handlers);
        }
    }

    /** @throws IllegalArgumentException if the file cannot be read or has an error; names line and column */
    public static HandlersConfig read(final Path path) {
        return YamlFile.read("handlers file", path, Content.class, Content::config);
    }

    private record Content(
            @Nullable Map<String, HandlerSection> handlers,
            @Nullable UsageFileSection records) {

        private HandlersConfig config() {
            return new HandlersConfig(
                    handlers == null
                            ? List.of()
                            : handlers.entrySet().stream()
                                    .map(entry -> handler(entry.getKey(), entry.getValue()))
                                    .toList(),
                    Optional.ofNullable(records).map(UsageFileSection::settings));
        }

        private static Handler handler(final String name, final @Nullable HandlerSection section) {
            return YamlFile.entry(() -> YamlFile.required(section, name).handler(name), "handlers", name);
        }
    }

    private record UsageFileSection(
            @Nullable Path folder,
            @Nullable List<Format> formats,
            @Nullable Every every,
            @Nullable ZoneId zone) {

        private UsageFileSection {
            YamlFile.required(folder, "folder");
            if (formats != null && formats.isEmpty()) {
                throw new InvalidEntryException("'formats' is empty: list csv, swf or both", "formats");
            }
        }

        private UsageFileSettings settings() {
            return new UsageFileSettings(
                    YamlFile.required(folder, "folder"),
                    formats == null ? EnumSet.of(Format.CSV) : EnumSet.copyOf(formats),
                    every == null ? Every.DAY : every,
                    zone == null ? ZoneOffset.UTC : zone);
        }
    }
}
