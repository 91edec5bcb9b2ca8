package io.millrace.script.directive;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every option in the recorded usage of OpenPBS 23.06 is known. */
class RecordedOptionsTest {

    private static final String USAGE = """
            usage: qsub [-a date_time] [-A account_string] [-c interval]
            	[-C directive_prefix] [-e path] [-f ] [-h ] [-I [-X]] [-j oe|eo] [-J X-Y[:Z]]
            	[-k keep] [-l resource_list] [-m mail_options] [-M user_list]
            	[-N jobname] [-o path] [-p priority] [-P project] [-q queue] [-r y|n]
            	[-R o|e|oe] [-S path] [-u user_list] [-W otherattributes=value...]
            	[-v variable_list] [-V ] [-z] [script | -- command [arg1 ...]]
            """;

    @Test
    void every_option_of_the_usage_is_known() {
        final Matcher letters = Pattern.compile("\\[-([A-Za-z])").matcher(USAGE);
        final Set<String> all = letters.results().map(m -> "-" + m.group(1)).collect(Collectors.toSet());

        assertThat(all)
                .hasSize(28)
                .allSatisfy(letter ->
                        assertThat(PbsOptions.TABLE.byName(letter)).as(letter).isNotNull());
    }

    @Test
    void every_option_written_for_pbs_pro_is_in_the_usage() {
        for (final String option : new String[] {"-W", "-m", "-M", "-r", "-a", "-p", "-l", "-J"}) {
            assertThat(USAGE).contains("[" + option + " ");
        }
    }
}
