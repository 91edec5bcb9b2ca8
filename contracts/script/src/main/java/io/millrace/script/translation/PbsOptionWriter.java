package io.millrace.script.translation;

import io.millrace.script.Dialect;
import io.millrace.script.JobSetting;
import io.millrace.script.ScriptOption;
import io.millrace.script.directive.BeginTimes;
import io.millrace.script.directive.Dependencies;
import io.millrace.script.directive.PbsResources;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Options that PBS Pro and Torque have in common. */
abstract class PbsOptionWriter extends OptionWriter {

    /** A job id of PBS or of another workload manager; a comma would start another attribute. */
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9._@\\[\\]-]+");

    @Override
    boolean dependency(
            final ScriptOption option, final JobSetting.Dependency setting, final TranslationBuilder translation) {
        if (setting.after().stream().anyMatch(after -> after.when() == JobSetting.When.CORRESPONDING)) {
            translation.noEquivalent(option);
            return false;
        }
        if (!setting.all()) {
            translation.unsupported(option, "PBS dependencies require all listed jobs, not any of them");
            return false;
        }
        if (setting.after().stream().anyMatch(after -> after.byName() || after.when() == JobSetting.When.SINGLETON)) {
            translation.unsupported(option, "PBS dependencies require job ids, not names");
            return false;
        }
        if (!setting.after().stream().allMatch(after -> ID.matcher(after.job()).matches())) {
            translation.unsupported(option, "invalid job id");
            return false;
        }
        return translation.add(option, "-W", "depend=" + Dependencies.chain(setting, ","));
    }

    /** Features become resources or properties. The name of a size resource would be read as that resource. */
    @Override
    void feature(final ScriptOption option, final JobSetting.Feature setting, final TranslationBuilder translation) {
        if (plainNames(List.of(setting.constraint())).stream().anyMatch(PbsResources::isReserved)) {
            translation.unsupported(option, "this feature name is the name of a resource in PBS");
        } else {
            super.feature(option, setting, translation);
        }
    }

    /** The features to write, without those that {@link #feature} reports as unsupported. */
    static List<String> writableFeatures(final List<String> features) {
        return plainNames(features).stream()
                .filter(name -> !PbsResources.isReserved(name))
                .toList();
    }

    @Override
    void mail(final ScriptOption option, final JobSetting.Mail setting, final TranslationBuilder translation) {
        if (setting.on().contains(JobSetting.MailEvent.REQUEUE)) {
            translation.unsupported(option, "PBS does not send mail on requeue");
        }
        final String letters = setting.on().stream()
                .map(on -> switch (on) {
                    case BEGIN -> "b";
                    case END -> "e";
                    case FAIL -> "a";
                    case REQUEUE -> "";
                    case NONE -> "n";
                })
                .collect(Collectors.joining());
        if (!letters.isEmpty()) {
            translation.add(option, "-m", letters);
        }
        if (!setting.to().isEmpty()) {
            translation.add(option, "-M", setting.to());
        }
    }

    @Override
    void rerunnable(
            final ScriptOption option, final JobSetting.Rerunnable setting, final TranslationBuilder translation) {
        translation.add(option, "-r", setting.rerunnable() ? "y" : "n");
    }

    @Override
    void begin(final ScriptOption option, final String time, final TranslationBuilder translation) {
        translation.add(option, "-a", time);
    }

    @Override
    @Nullable
    String beginTime(final JobSetting.BeginTime begin) {
        return BeginTimes.forPbs(begin);
    }

    @Override
    void priority(final ScriptOption option, final JobSetting.Priority setting, final TranslationBuilder translation) {
        if (option.dialect() == Dialect.PBS) {
            translation.add(option, "-p", Integer.toString(setting.value()));
        } else {
            translation.unsupported(option, "priority values are not comparable between workload managers");
        }
    }

    @Override
    void hosts(final ScriptOption option, final JobSetting.Hosts setting, final TranslationBuilder translation) {
        if (option.dialect() == Dialect.PBS && setting.allowed()) {
            translation.add(option, "-l", "host=" + String.join("+", setting.names()));
        } else {
            super.hosts(option, setting, translation);
        }
    }
}
