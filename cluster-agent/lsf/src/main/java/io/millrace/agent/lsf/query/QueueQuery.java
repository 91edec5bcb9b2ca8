package io.millrace.agent.lsf.query;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.lsf.command.LsfErrors;
import io.millrace.agent.lsf.command.LsfQuery;
import io.millrace.agent.lsf.command.LsfSite;
import io.millrace.agent.wlm.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** {@code bqueues -l}. Only administrators control its content. */
public record QueueQuery(LsfSite site) implements LsfQuery<List<LsfQueue>> {

    private static final Pattern STATUS = Pattern.compile("\\b(Open|Closed):(Active|Inact\\w*)");
    private static final Pattern MINUTES = Pattern.compile("(\\d+(?:\\.\\d+)?) min");
    private static final Pattern PREEMPTIVE = Pattern.compile("PREEMPTIVE(?:\\s*\\[([^\\]]*)])?");
    private static final Pattern SUSPEND = Pattern.compile("SUSPEND[:,]?\\s*\\[?([^\\]\\n]*)");

    @Override
    public List<String> argv() {
        return List.of(site.program("bqueues"), "-l");
    }

    @Override
    public Answer<List<LsfQueue>> read(final CommandResult result) {
        if (!result.succeeded()) {
            return LsfErrors.of("bqueues", result, Answer.Kind.UNREADABLE);
        }
        final List<LsfQueue> queues = new ArrayList<>();
        List<String> current = new ArrayList<>();
        for (final String line : result.outputText().split("\n")) {
            if (line.startsWith("QUEUE: ")) {
                add(queues, current);
                current = new ArrayList<>();
            }
            current.add(line);
        }
        add(queues, current);
        return queues.isEmpty()
                ? LsfErrors.of("bqueues", result, Answer.Kind.UNREADABLE) // error reported as a normal answer
                : Answer.ok(List.copyOf(queues));
    }

    private static void add(final List<LsfQueue> queues, final List<String> lines) {
        if (!lines.isEmpty() && lines.get(0).startsWith("QUEUE: ")) {
            queues.add(queue(lines.get(0).substring("QUEUE: ".length()).strip(), lines));
        }
    }

    private static LsfQueue queue(final String name, final List<String> lines) {
        final String text = String.join("\n", lines);
        final Matcher status = STATUS.matcher(text);
        final boolean known = status.find();
        final String description = text.substring(0, Math.max(0, text.indexOf("PARAMETERS/STATISTICS")))
                .replaceAll("\\s+", "");
        final Matcher preemptive = PREEMPTIVE.matcher(text);
        return new LsfQueue(
                name,
                known && status.group(1).equals("Open"),
                !known
                        || (status.group(2).startsWith("Inact")
                                && !status.group(2).equals("Inact_Win")),
                known && status.group(2).equals("Inact_Win"),
                description.contains("Thisisthedefaultqueue") || description.contains("Thisisoneofthedefaultqueues"),
                text.contains("DEFAULT LIMITS:")
                        ? runLimit(between(lines, "DEFAULT LIMITS:", "MAXIMUM LIMITS:"))
                        : null,
                runLimit(text.contains("MAXIMUM LIMITS:") ? between(lines, "MAXIMUM LIMITS:", null) : lines),
                slots(lines),
                names(lines, "USERS:", "all users"),
                names(lines, "HOSTS:", "all hosts used by"),
                preemptive.find() ? queues(preemptive.group(1)) : null,
                text.contains("PREEMPTABLE"),
                onSuspend(text),
                words(rest(lines, "REQUEUE_EXIT_VALUES:")));
    }

    private static String onSuspend(final String text) {
        final int at = text.indexOf("JOB_CONTROLS");
        if (at < 0) {
            return "";
        }
        final Matcher found = SUSPEND.matcher(text.substring(at));
        return found.find() ? found.group(1).strip() : "";
    }

    private static List<String> queues(final @Nullable String list) {
        // the part after a name only orders the victims
        return list == null
                ? List.of()
                : words(list.replace(',', ' ')).stream()
                        .map(word -> word.replaceAll("[+<].*", ""))
                        .toList();
    }

    private static List<String> between(final List<String> lines, final String from, final @Nullable String to) {
        final List<String> section = new ArrayList<>();
        boolean in = false;
        for (final String line : lines) {
            if (to != null && line.startsWith(to)) {
                break;
            }
            if (in) {
                section.add(line);
            }
            if (line.startsWith(from)) {
                in = true;
                section.add(line.substring(from.length()));
            }
        }
        return section;
    }

    private static @Nullable Duration runLimit(final List<String> lines) {
        return JobRequest.runLimit(new LongFormat.Job("", "", List.of(), lines));
    }

    /** PROCLIMIT, TASKLIMIT: {@code max}, {@code min max} or {@code min default max}. */
    private static @Nullable Integer slots(final List<String> lines) {
        for (int at = 0; at + 1 < lines.size(); at++) {
            final List<String> titles = words(lines.get(at));
            if (!titles.isEmpty() && titles.getLast().matches("PROCLIMIT|TASKLIMIT")) {
                final String values =
                        MINUTES.matcher(lines.get(at + 1)).replaceAll("").replaceAll("of \\S+", "");
                final List<String> numbers = words(values.replaceAll("[^\\d ]", " "));
                return numbers.isEmpty() ? null : Integer.valueOf(numbers.getLast());
            }
        }
        return null;
    }

    private static List<String> names(final List<String> lines, final String title, final String allMarker) {
        final String list = rest(lines, title);
        return list.startsWith(allMarker) || list.equals("all") ? List.of() : words(list);
    }

    private static String rest(final List<String> lines, final String title) {
        return lines.stream()
                .filter(line -> line.startsWith(title))
                .map(line -> line.substring(title.length()).strip())
                .findFirst()
                .orElse("");
    }

    private static List<String> words(final String text) {
        return text.isBlank() ? List.of() : List.of(text.strip().split("\\s+"));
    }
}
