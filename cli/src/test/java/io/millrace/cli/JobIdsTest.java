package io.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.cli.api.ApiClient;
import io.millrace.cli.text.Terminal;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import picocli.CommandLine;

/** Every command that takes the id of a job takes both: that of the global job and that of its cluster. */
@Timeout(600)
@Isolated("replaces System.out")
class JobIdsTest {

    private static final String GLOBAL = "01KJMZ3QA7Y8C4D1XNV5TZW6RB";
    private static final String LOCAL = "alpha/153_[1-9]";
    private static final Terminal PIPE = new Terminal(false, false, 0, false);

    @TempDir
    Path home;

    private void asks(final String line, final String... requests) throws Exception {
        for (final String id : List.of(GLOBAL, LOCAL)) {
            final String path = id.equals(GLOBAL) ? GLOBAL : "alpha%2F153_%5B1-9%5D";
            try (FakeApi api = answering("/jobs/" + path)) {
                final List<String> words = new ArrayList<>(List.of(line.split(" ")));
                words.add(id);
                final Callable<Integer> command = Main.command(words.getFirst(), PIPE);
                final Method run = command.getClass().getDeclaredMethod("run", ApiClient.class);
                run.setAccessible(true); // the commands have packages of their own
                new CommandLine(command)
                        .parseArgs(words.subList(1, words.size()).toArray(String[]::new));
                FakeApi.printed(() -> run.invoke(command, api.client()));
                assertThat(api.requests())
                        .as(line)
                        .startsWith(List.of(requests).stream()
                                .map(request -> request.replace("ID", path))
                                .toArray(String[]::new));
            }
        }
    }

    private FakeApi answering(final String job) throws Exception {
        final String ended = "{\"id\":\"" + GLOBAL + "\",\"name\":\"mesh\",\"state\":\"succeeded\",\"finished\":true,"
                + "\"outcome\":{\"exitCode\":0},\"size\":0,\"offset\":0,\"content\":\"\",\"type\":\"file\"}";
        final FakeApi api = new FakeApi(home);
        for (final String route : List.of("", "/why", "/files", "/stop", "/hold", "/release", "/alter")) {
            api.answer(job + route, ended);
        }
        return api.answer("/local-jobs/why", ended);
    }

    @Test
    void either_id_works_in_every_command_that_takes_one() throws Exception {
        asks("mgstat", "GET /jobs/ID");
        asks("mgstat --watch", "GET /jobs/ID");
        asks("mgstop", "POST /jobs/ID/stop {}");
        asks("mghold", "POST /jobs/ID/hold {}");
        asks("mgrelease", "POST /jobs/ID/release {}");
        asks("mgalter -n 2", "POST /jobs/ID/alter {\"cores\":2}");
        asks("mgwait", "GET /jobs/ID");
        asks("mgtail", "GET /jobs/ID/files?stream=output");
        asks("mgpeek", "GET /jobs/ID/files?path=.&offset=0");
    }
}
