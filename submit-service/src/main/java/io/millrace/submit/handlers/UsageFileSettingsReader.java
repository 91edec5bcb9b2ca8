package io.millrace.submit.handlers;

import io.millrace.submit.domain.handler.UsageFileSettings;
import io.millrace.submit.domain.handler.UsageFileSettings.Every;
import io.millrace.submit.domain.handler.UsageFileSettings.Format;
import io.millrace.yaml.MarkedYaml;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.Set;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/** Reads the part of the handlers file about usage records. */
final class UsageFileSettingsReader {

    private static final String EXPECTED = "'folder', 'formats', 'every' and 'zone'";

    private UsageFileSettingsReader() {}

    static UsageFileSettings read(final MarkedYaml yaml, final Node section) {
        Path folder = null;
        Set<Format> formats = EnumSet.of(Format.CSV);
        Every every = Every.DAY;
        ZoneId zone = ZoneOffset.UTC;
        for (final NodeTuple line : yaml.entries(section, EXPECTED)) {
            final Node value = line.getValueNode();
            switch (yaml.text(line.getKeyNode(), EXPECTED)) {
                case "folder" -> folder = yaml.checked(value, () -> folder(yaml.text(value, "a folder")));
                case "formats" -> formats = formats(yaml, value);
                case "every" -> every = yaml.checked(value, () -> every(yaml.text(value, "'day' or 'month'")));
                case "zone" -> zone = yaml.zone(value);
                default -> throw yaml.wrong(line.getKeyNode(), "expected " + EXPECTED);
            }
        }
        if (folder == null) {
            throw yaml.wrong(section, "'folder' is missing: where usage records are to be written");
        }
        return new UsageFileSettings(folder, formats, every, zone);
    }

    private static Path folder(final String text) {
        final Path folder = Path.of(text);
        if (!folder.isAbsolute()) {
            throw new IllegalArgumentException("'folder' must be a whole path, got '" + text + "'");
        }
        return folder;
    }

    private static Set<Format> formats(final MarkedYaml yaml, final Node list) {
        final Set<Format> formats = EnumSet.noneOf(Format.class);
        for (final Node word : yaml.items(list)) {
            formats.add(
                    switch (yaml.text(word, "a format")) {
                        case "csv" -> Format.CSV;
                        case "swf" -> Format.SWF;
                        default -> throw yaml.wrong(word, "expected 'csv' or 'swf'");
                    });
        }
        if (formats.isEmpty()) {
            throw yaml.wrong(list, "name 'csv', 'swf' or both");
        }
        return formats;
    }

    private static Every every(final String word) {
        return switch (word) {
            case "day" -> Every.DAY;
            case "month" -> Every.MONTH;
            default -> throw new IllegalArgumentException("expected 'day' or 'month', got '" + word + "'");
        };
    }
}
