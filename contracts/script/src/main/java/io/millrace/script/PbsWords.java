package io.millrace.script;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What both lines of PBS say alike. */
abstract class PbsWords extends Vocabulary {

    /** What else may stand where an id of the own system or of another is waited for: no comma, which would begin another attribute. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._@\\[\\]-]+");

    @Override
    boolean dependency(final Option option, final Wish.Dependency wish, final Sayings sayings) {
        if (!wish.all()) {
            sayings.lose(option, "PBS waits for all jobs it is told, not for any of them");
            return false;
        }
        if (wish.after().stream().anyMatch(after -> after.byName() || after.when() == Wish.When.ALONE)) {
            sayings.lose(option, "PBS waits for ids, not for names");
            return false;
        }
        if (!wish.after().stream().allMatch(after -> ID.matcher(after.job()).matches())) {
            sayings.lose(option, "it names something that cannot be the id of a job");
            return false;
        }
        return sayings.say(option, "-W", "depend=" + Dependencies.chain(wish, ","));
    }

    /** Features of another system become resources or properties; one with the name of a figure would be taken for that figure. */
    @Override
    void feature(final Option option, final Wish.Feature wish, final Sayings sayings) {
        if (plain(List.of(wish.constraint())).stream().anyMatch(PbsResources::isFigure)) {
            sayings.lose(option, "a feature of this name is a figure here");
        } else {
            super.feature(option, wish, sayings);
        }
    }

    /** What may be said of the features: all but those that {@link #feature} has named as lost. */
    static List<String> sayable(final List<String> features) {
        return plain(features).stream()
                .filter(name -> !PbsResources.isFigure(name))
                .toList();
    }

    @Override
    void mail(final Option option, final Wish.Mail wish, final Sayings sayings) {
        if (wish.on().contains(Wish.MailOn.REQUEUE)) {
            sayings.lose(option, "PBS sends no mail about a requeue");
        }
        final String letters = wish.on().stream()
                .map(on -> switch (on) {
                    case BEGIN -> "b";
                    case END -> "e";
                    case FAIL -> "a";
                    case REQUEUE -> "";
                    case NEVER -> "n";
                })
                .collect(Collectors.joining());
        if (!letters.isEmpty()) {
            sayings.say(option, "-m", letters);
        }
        if (!wish.to().isEmpty()) {
            sayings.say(option, "-M", wish.to());
        }
    }

    @Override
    void rerunnable(final Option option, final Wish.Rerunnable wish, final Sayings sayings) {
        sayings.say(option, "-r", wish.yes() ? "y" : "n");
    }

    @Override
    void begin(final Option option, final String time, final Sayings sayings) {
        sayings.say(option, "-a", time);
    }

    @Override
    @Nullable
    String time(final Wish.Begin begin) {
        return Begins.forPbs(begin);
    }

    @Override
    void priority(final Option option, final Wish.Priority wish, final Sayings sayings) {
        if (option.dialect() == Dialect.PBS) {
            sayings.say(option, "-p", Integer.toString(wish.value()));
        } else {
            sayings.lose(option, "priorities have another scale here");
        }
    }

    @Override
    void hosts(final Option option, final Wish.Hosts wish, final Sayings sayings) {
        if (option.dialect() == Dialect.PBS && wish.allowed()) {
            sayings.say(option, "-l", "host=" + String.join("+", wish.names()));
        } else {
            super.hosts(option, wish, sayings);
        }
    }
}
