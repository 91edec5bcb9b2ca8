package io.millrace.submit.handlers;

import io.millrace.sitefiles.YamlFile;
import io.millrace.submit.domain.handler.Handler;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the site's handlers; the integrator guide shows the file. */
public final class HandlersFile {

    private HandlersFile() {}

    /** @throws IllegalArgumentException if the file cannot be read or has an error; names line and column */
    public static List<Handler> read(final Path path) {
        return YamlFile.read("handlers file", path, Content.class, Content::configured);
    }

    private record Content(@Nullable Map<String, HandlerSection> handlers) {

        private List<Handler> configured() {
            return handlers == null
                    ? List.of()
                    : handlers.entrySet().stream()
                            .map(entry -> handler(entry.getKey(), entry.getValue()))
                            .toList();
        }

        private static Handler handler(final String name, final @Nullable HandlerSection section) {
            return YamlFile.entry(() -> YamlFile.required(section, name).handler(name), "handlers", name);
        }
    }
}
