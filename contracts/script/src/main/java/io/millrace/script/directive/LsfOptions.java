package io.millrace.script.directive;

import io.millrace.script.JobSetting;
import io.millrace.script.OptionEffect;
import io.millrace.script.directive.OptionFile.Parsers;
import io.millrace.script.directive.OptionTable.ParsedValue;
import io.millrace.script.directive.OptionTable.Style;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The options of {@code bsub}. */
final class LsfOptions {

    static final OptionTable TABLE = table();

    private static final Pattern NAME = Pattern.compile("(.*?)(?:\\[([^\\[\\]]*)\\](?:%(\\d{1,9}))?)?");
    private static final Set<String> GPU_USE = Set.of(
            "mode",
            "mps",
            "j_exclusive",
            "aff",
            "block",
            "gpack",
            "gvendor",
            "gtile",
            "gmem",
            "glink",
            "nvlink",
            "mig");
    /** How a process uses the GPUs of the job; the other words choose GPUs. */
    private static final Set<String> GPU_BINDING =
            Set.of("mode", "mps", "j_exclusive", "aff", "block", "gpack", "gtile");

    private static final Pattern GPUS = Pattern.compile("(\\d{1,6})(/host|/task)?");

    private LsfOptions() {}

    private static OptionTable table() {
        final Parsers parsers = new Parsers()
                .values("-J", LsfOptions::name)
                .value("-n", LsfOptions::slots)
                .values("-M", LsfOptions::memoryLimit)
                .values("-R", LsfResourceString::read)
                .values("-gpu", LsfOptions::gpus)
                .value("-W", text -> new JobSetting.Walltime(Quantities.lsfTime(text)))
                .value("-q", text -> new JobSetting.Partition(words(text)))
                .value("-P", JobSetting.Project::new)
                .value("-w", Dependencies::lsf)
                .flag("-x", new JobSetting.Exclusive(true))
                .value("-m", LsfOptions::hosts)
                .value("-b", BeginTimes::lsf)
                .flag("-H", new JobSetting.Hold())
                .value("-cwd", LsfOptions::directory)
                .value("-U", JobSetting.Reservation::new)
                .value("-sp", text -> new JobSetting.Priority(Quantities.number(text, "priority")))
                .value("-o", JobSetting.Output::new)
                .value("-e", JobSetting.Error::new)
                .value("-i", JobSetting.Input::new)
                .flag("-B", new JobSetting.Mail(List.of(JobSetting.MailEvent.BEGIN), ""))
                .flag("-N", new JobSetting.Mail(List.of(JobSetting.MailEvent.END), ""))
                .flag("-Ne", new JobSetting.Mail(List.of(JobSetting.MailEvent.FAIL), ""))
                .value("-u", text -> new JobSetting.Mail(List.of(), text))
                .value("-env", LsfOptions::environment)
                .flag("-r", new JobSetting.Rerunnable(true))
                .flag("-rn", new JobSetting.Rerunnable(false))
                .value("-wa", LsfOptions::signal)
                .value("-wt", text -> new JobSetting.SignalBefore(null, Quantities.lsfTime(text), true));
        return OptionFile.read(Style.WORDS, "lsf.txt", parsers);
    }

    private static JobSetting directory(final String text) throws DirectiveSyntaxException {
        if (text.contains("%")) {
            throw new DirectiveSyntaxException("'" + text + "' has a pattern; name one directory");
        }
        return SlurmOptions.directory(text);
    }

    /** {@code 4}, or {@code 4,8}: the job gets the smallest number. */
    private static JobSetting slots(final String text) throws DirectiveSyntaxException {
        final String[] range = text.split(",", 2);
        final int least = Quantities.positive(range[0], "slots");
        if (range.length == 2 && Quantities.positive(range[1], "slots") < least) {
            throw new DirectiveSyntaxException("'" + text + "': the maximum is less than the minimum");
        }
        return new JobSetting.Cores(least);
    }

    /** {@code 8GB}, or {@code 8GB!} for a limit that LSF enforces as soon as the memory of the job exceeds it. */
    private static List<ParsedValue> memoryLimit(final String text) throws DirectiveSyntaxException {
        final boolean hard = text.endsWith("!");
        final String size = hard ? text.substring(0, text.length() - 1).strip() : text;
        final ParsedValue memory =
                new ParsedValue(null, new JobSetting.Memory(Quantities.lsfSize(size, 'K'), JobSetting.Per.JOB));
        return hard
                ? List.of(
                        memory,
                        new ParsedValue(
                                null,
                                new JobSetting.Unsupported(
                                        "'!' is left out; the memory is reserved, and each cluster enforces it in its"
                                                + " way"),
                                OptionEffect.NOTHING))
                : List.of(memory);
    }

    static List<String> words(final String text) throws DirectiveSyntaxException {
        final List<String> names = Arrays.stream(text.split("\\s+"))
                .filter(name -> !name.isBlank())
                .toList();
        if (names.isEmpty()) {
            throw new DirectiveSyntaxException("the list is empty");
        }
        return names;
    }

    /** {@code name}, {@code name[1-10:2,15]%4}. */
    private static List<ParsedValue> name(final String text) throws DirectiveSyntaxException {
        final Matcher m = NAME.matcher(text);
        if (!m.matches() || m.group(2) == null) {
            return List.of(new ParsedValue(null, new JobSetting.Name(text)));
        }
        final int atOnce = m.group(3) == null ? 0 : Quantities.positive(m.group(3), "tasks at a time");
        final List<ParsedValue> values = new ArrayList<>();
        if (!m.group(1).isBlank()) {
            values.add(new ParsedValue(null, new JobSetting.Name(m.group(1).strip())));
        }
        values.add(new ParsedValue(null, new JobSetting.Array(ArrayIndices.ranges(m.group(2)), atOnce)));
        return values;
    }

    /** {@code num=2:mode=exclusive_process:gmodel=A100}, or a dash for one GPU of any kind. Usage options are specific to LSF. */
    private static List<ParsedValue> gpus(final String text) throws DirectiveSyntaxException {
        int count = 1;
        JobSetting.Per per = JobSetting.Per.NODE;
        String type = null;
        final List<String> use = new ArrayList<>();
        for (final String part : text.equals("-") ? new String[0] : text.split(":")) {
            final String[] word = part.split("=", 2);
            if (word.length == 2 && word[0].equals("num")) {
                final Matcher m = GPUS.matcher(word[1]);
                if (!m.matches()) {
                    throw new DirectiveSyntaxException("'" + word[1] + "' is not a valid number of GPUs");
                }
                count = Integer.parseInt(m.group(1));
                per = "/task".equals(m.group(2)) ? JobSetting.Per.TASK : JobSetting.Per.NODE;
            } else if (word.length == 2 && word[0].equals("gmodel")) {
                type = word[1];
            } else if (word.length == 2 && GPU_USE.contains(word[0]) && word[1].matches("[\\w.,-]+")) {
                use.add(part);
            } else {
                throw new DirectiveSyntaxException("'" + part + "' is not a valid GPU option; use num=2, gmodel=…, "
                        + String.join("=…, ", GPU_USE.stream().sorted().toList()) + "=…");
            }
        }
        final List<ParsedValue> values = new ArrayList<>();
        values.add(new ParsedValue(null, new JobSetting.Gpus(count, per, type)));
        if (!use.isEmpty()) {
            final String words = String.join(":", use);
            values.add(new ParsedValue(
                    "-gpu " + words,
                    new JobSetting.SystemSpecific(List.of("-gpu", words)),
                    use.stream().allMatch(part -> GPU_BINDING.contains(part.split("=", 2)[0]))
                            ? OptionEffect.NOTHING
                            : OptionEffect.PLACE));
        }
        return values;
    }

    /** {@code none}, {@code all}, {@code all, ~HOME, A=1}, {@code A=1, B}. */
    private static JobSetting environment(final String text) throws DirectiveSyntaxException {
        boolean all = false;
        final Map<String, String> set = new LinkedHashMap<>();
        final List<String> copied = new ArrayList<>();
        final List<String> excluded = new ArrayList<>();
        for (final String part : VariableList.split(text)) {
            final String word = part.strip();
            if (word.equals("all")) {
                all = true;
            } else if (word.startsWith("~")) {
                excluded.add(word.substring(1));
            } else if (!word.equals("none") && !word.isEmpty()) {
                VariableList.add(word, set, copied);
            }
        }
        return new JobSetting.Environment(set, copied, all, excluded);
    }

    private static JobSetting signal(final String text) {
        final String name = text.toUpperCase(Locale.ROOT);
        return name.matches("(SIG)?[A-Z][A-Z0-9+-]{1,11}|\\d{1,2}")
                ? new JobSetting.SignalBefore(name.startsWith("SIG") ? name.substring(3) : name, null, true)
                : new JobSetting.Unsupported(
                        "only signals can be sent before the walltime limit; trap the signal in the script");
    }

    private static JobSetting hosts(final String text) throws DirectiveSyntaxException {
        final List<String> names = words(text);
        return names.stream().allMatch(name -> name.matches("[A-Za-z0-9._-]+"))
                ? new JobSetting.Hosts(names, true)
                : new JobSetting.SystemSpecific(List.of("-m", text));
    }
}
