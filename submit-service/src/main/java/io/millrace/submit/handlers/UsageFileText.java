package io.millrace.submit.handlers;

import io.millrace.model.cluster.RunEnded;
import io.millrace.submit.domain.handler.UsageFileSettings;
import io.millrace.submit.domain.handler.UsageFileSettings.Format;
import io.millrace.submit.domain.usage.SwfNames;
import io.millrace.submit.domain.usage.UsageCsv;
import io.millrace.submit.domain.usage.UsageSwf;
import io.millrace.submit.handlers.UsagePosition.Written;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines that a batch of runs appends to each file. */
final class UsageFileText {

    private final UsageFileSettings settings;
    private final SwfNames names;
    private final Map<String, Written> before;
    private final Map<String, Page> pages = new LinkedHashMap<>();

    UsageFileText(final UsageFileSettings settings, final SwfNames names, final Map<String, Written> before) {
        this.settings = settings;
        this.names = names;
        this.before = before;
    }

    /** The text that is appended to one file. */
    record Addition(String file, Written before, String text, Written after) {}

    /** A file that lines are appended to. */
    private static final class Page {
        private final StringBuilder text = new StringBuilder();
        private final Map<SwfNames.Kind, Integer> named = new EnumMap<>(SwfNames.Kind.class);
        private long lines;
    }

    void add(final RunEnded run) {
        for (final Format format : settings.formats()) {
            final Page page = pages.computeIfAbsent(settings.file(run.endedAt(), format), file -> open(file, format));
            page.lines++;
            switch (format) {
                case CSV -> page.text.append(UsageCsv.line(run));
                case SWF -> addSwf(run, page);
            }
        }
    }

    private Page open(final String file, final Format format) {
        final Written known = before.getOrDefault(file, Written.NOTHING);
        final Page page = new Page();
        page.lines = known.lines();
        page.named.putAll(known.named());
        if (known.bytes() == 0) {
            page.text.append(format == Format.CSV ? UsageCsv.HEADER : UsageSwf.header(settings.zone()));
        }
        return page;
    }

    private void addSwf(final RunEnded run, final Page page) {
        page.text.append(UsageSwf.lines(run, page.lines, names, page.named));
    }

    SwfNames names() {
        return names;
    }

    List<Addition> additions() {
        final List<Addition> additions = new ArrayList<>();
        pages.forEach((file, page) -> {
            final Written known = before.getOrDefault(file, Written.NOTHING);
            final String text = page.text.toString();
            final long bytes = known.bytes() + text.getBytes(StandardCharsets.UTF_8).length;
            additions.add(new Addition(file, known, text, new Written(bytes, page.lines, Map.copyOf(page.named))));
        });
        return additions;
    }
}
