package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.UsageFileSettings;
import io.millrace.yaml.MarkedYaml;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/**
* Reads the handlers file, which the integrator guide describes. An error refuses the whole file and names line and column, so that no
* part of it is applied.
 */
public final class HandlersFile {

    private static final String ROOT = "'handlers:' and 'records:'";

    private final MarkedYaml yaml;
    private final List<Handler> handlers = new ArrayList<>();
    private Optional<UsageFileSettings> records = Optional.empty();

    private HandlersFile(final MarkedYaml yaml) {
        this.yaml = yaml;
    }

    /** The content of the file. */
    public record HandlersConfig(List<Handler> handlers, Optional<UsageFileSettings> records) {
        public static final HandlersConfig NOTHING = new HandlersConfig(List.of(), Optional.empty());

        public HandlersConfig {
            handlers = List.copyOf(handlers);
        }
    }

    /** @throws IllegalArgumentException if the file cannot be read or is invalid, with the location */
    public static HandlersConfig read(final Path path) {
        final HandlersFile file = new HandlersFile(new MarkedYaml("handlers file " + path));
        file.yaml.root(path).ifPresent(file::readRoot);
        return new HandlersConfig(file.handlers, file.records);
    }

    private void readRoot(final Node root) {
        for (final NodeTuple section : yaml.entries(root, ROOT)) {
            final Node value = section.getValueNode();
            switch (yaml.text(section.getKeyNode(), ROOT)) {
                case "handlers" ->
                    yaml.entries(value, "handler names with their settings").forEach(this::readHandler);
                case "records" -> records = Optional.of(UsageFileSettingsReader.read(yaml, value));
                default -> throw yaml.wrong(section.getKeyNode(), "expected " + ROOT);
            }
        }
    }

    private void readHandler(final NodeTuple entry) {
        final String name = yaml.text(entry.getKeyNode(), "a name");
        handlers.add(new HandlerReader(yaml, entry.getValueNode()).read(name, entry.getKeyNode()));
    }
}
