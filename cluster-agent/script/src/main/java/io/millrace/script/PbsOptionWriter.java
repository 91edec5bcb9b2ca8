package io.millrace.script;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What both lines of PBS say alike. */
abstract class PbsOptionWriter extends OptionWriter {

    /** What else may stand where an id of the own system or of another is waited for: no comma, which would begin another attribute. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._@\\[\\]-]+");

    @Override
    boolean dependency(final ScriptOption option, final JobSetting.Dependency wish, final TranslationBuilder sayings) {
        if (!wish.all()) {
            sayings.unsupported(option, "PBS waits for all jobs it is told, not for any of them");
            return false;
        }
        if (wish.after().stream().anyMatch(after -> after.byName() || after.when() == JobSetting.When.SINGLETON)) {
            sayings.unsupported(option, "PBS waits for ids, not for names");
            return false;
        }
        if (!wish.after().stream().allMatch(after -> ID.matcher(after.job()).matches())) {
            sayings.unsupported(option, "it names something that cannot be the id of a job");
            return false;
        }
        return sayings.add(option, "-W", "depend=" + Dependencies.chain(wish, ","));
    }

    /** Features of another system become resources or properties; one with the name of a figure would be taken for that figure. */
    @Override
    void feature(final ScriptOption option, final JobSetting.Feature wish, final TranslationBuilder sayings) {
        if (plainNames(List.of(wish.constraint())).stream().anyMatch(PbsResources::isReserved)) {
            sayings.unsupported(option, "a feature of this name is a figure here");
        } else {
            super.feature(option, wish, sayings);
        }
    }

    /** What may be said of the features: all but those that {@link #feature} has named as lost. */
    static List<String> writableFeatures(final List<String> features) {
        return plainNames(features).stream()
                .filter(name -> !PbsResources.isReserved(name))
                .toList();
    }

    @Override
    void mail(final ScriptOption option, final JobSetting.Mail wish, final TranslationBuilder sayings) {
        if (wish.on().contains(JobSetting.MailEvent.REQUEUE)) {
            sayings.unsupported(option, "PBS sends no mail about a requeue");
        }
        final String letters = wish.on().stream()
                .map(on -> switch (on) {
                    case BEGIN -> "b";
                    case END -> "e";
                    case FAIL -> "a";
                    case REQUEUE -> "";
                    case NONE -> "n";
                })
                .collect(Collectors.joining());
        if (!letters.isEmpty()) {
            sayings.add(option, "-m", letters);
        }
        if (!wish.to().isEmpty()) {
            sayings.add(option, "-M", wish.to());
        }
    }

    @Override
    void rerunnable(final ScriptOption option, final JobSetting.Rerunnable wish, final TranslationBuilder sayings) {
        sayings.add(option, "-r", wish.rerunnable() ? "y" : "n");
    }

    @Override
    void begin(final ScriptOption option, final String time, final TranslationBuilder sayings) {
        sayings.add(option, "-a", time);
    }

    @Override
    @Nullable
    String beginTime(final JobSetting.BeginTime begin) {
        return BeginTimes.forPbs(begin);
    }

    @Override
    void priority(final ScriptOption option, final JobSetting.Priority wish, final TranslationBuilder sayings) {
        if (option.dialect() == Dialect.PBS) {
            sayings.add(option, "-p", Integer.toString(wish.value()));
        } else {
            sayings.unsupported(option, "priorities have another scale here");
        }
    }

    @Override
    void hosts(final ScriptOption option, final JobSetting.Hosts wish, final TranslationBuilder sayings) {
        if (option.dialect() == Dialect.PBS && wish.allowed()) {
            sayings.add(option, "-l", "host=" + String.join("+", wish.names()));
        } else {
            super.hosts(option, wish, sayings);
        }
    }
}
