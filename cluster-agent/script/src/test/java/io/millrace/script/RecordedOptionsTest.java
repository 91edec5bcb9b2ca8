package io.millrace.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The letters that a running OpenPBS 23.06 printed as its usage are read, each one. */
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
    void every_letter_of_the_usage_has_a_meaning() {
        final Matcher letters = Pattern.compile("\\[-([A-Za-z])").matcher(USAGE);
        final Set<String> all = letters.results().map(m -> "-" + m.group(1)).collect(Collectors.toSet());

        assertThat(all)
                .hasSize(28)
                .allSatisfy(letter ->
                        assertThat(PbsOptions.TABLE.byName(letter)).as(letter).isNotNull());
    }

    @Test
    void the_letters_we_say_to_pbs_pro_are_among_them() {
        for (final String said : new String[] {"-W", "-m", "-M", "-r", "-a", "-p", "-l", "-J"}) {
            assertThat(USAGE).contains("[" + said + " ");
        }
    }
}
