package io.millrace.lab.attacks;

import static io.millrace.lab.attacks.Refused.isProblem;
import static io.millrace.lab.attacks.Refused.revealsNothing;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.model.Text;
import io.millrace.testing.Attack;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** Files of a job, read by submit-service through the agent. The directory belongs to the job; what is beside it does not. */
@TestInstance(Lifecycle.PER_CLASS)
class FilesIT {

    private static final String INSIDE = "inside";

    private final AttackedSite site = AttackedSite.get();
    private Path directory;
    private String job;

    @BeforeAll
    void a_job_has_a_directory() throws Exception {
        final Path parent = site.ownedFolder("files");
        AttackedSite.give(Files.writeString(parent.resolve("outside"), Victim.SECRET));
        directory = site.ownedFolder("files/job");
        shell("mkdir sub && printf " + INSIDE + " >inside && printf " + INSIDE + " >sub/inside && ln -s .. up"
                + " && ln -s ../outside link && ln -s inside latest && ln -s /etc/passwd passwd");
        job = Victim.stopped(site, directory.toString());
    }

    private void shell(final String text, final String... arguments) throws IOException, InterruptedException {
        final List<String> command =
                new ArrayList<>(List.of("bash", "-c", "cd -- \"$0\" && " + text, directory.toString()));
        command.addAll(List.of(arguments));
        final Process process =
                new ProcessBuilder(command).redirectErrorStream(true).start();
        final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text + ": " + output).isZero();
    }

    private ApiClient.Answer read(final String query) {
        return site.as(Victim.NAME).get("/api/v1/jobs/" + job + "/files?" + query);
    }

    private static String content(final ApiClient.Answer answer) {
        return new String(
                Base64.getDecoder().decode(answer.json().path("content").asText()), StandardCharsets.UTF_8);
    }

    private static void revealsNothingOutside(final ApiClient.Answer answer) {
        revealsNothing(answer);
        assertThat(content(answer))
                .doesNotContain(Victim.SECRET)
                .doesNotContain("root:")
                .doesNotContain("PATH=");
    }

    @Attack("the path of a file leaves the directory of the job, is an option or a command, or is not a path")
    @TestFactory
    List<DynamicTest> by_its_path() {
        return Cases.read("file-paths.txt").stream()
                .map(line -> DynamicTest.dynamicTest(line, () -> {
                    final String[] words = line.split(" +", 2);
                    final ApiClient.Answer answer = read("path=" + Cases.text(words[1]));
                    switch (words[0]) {
                        case "content" ->
                            assertThat(content(answer)).as(answer.text()).isEqualTo(INSIDE);
                        case "folder" ->
                            assertThat(answer.json().has("entries"))
                                    .as(answer.text())
                                    .isTrue();
                        case "refused" ->
                            assertThat(answer.status()).as(answer.text()).isBetween(400, 499);
                        default -> throw new IllegalStateException("'" + words[0] + "' is no expectation");
                    }
                    revealsNothingOutside(answer);
                }))
                .toList();
    }

    @Attack(
            "a file of a hostile name or kind in the directory of a job: devices, pipes, links, control characters, options")
    @TestFactory
    List<DynamicTest> by_its_name_and_kind() {
        return Cases.read("hostile-files.txt").stream()
                .map(line -> DynamicTest.dynamicTest(line, () -> {
                    final String[] words = line.split("\t+");
                    final String name = Cases.text(words[1]);
                    shell("export f=\"./$1\"; " + (words.length > 2 ? words[2] : "printf inside >\"$f\""), name);
                    shell("[ $(id -u) -ne 0 ] || chown -h nobody -- \"./$1\"", name);
                    final ApiClient.Answer answer =
                            read("length=100&path=" + URLEncoder.encode(name, StandardCharsets.UTF_8));
                    switch (words[0]) {
                        case "content" ->
                            assertThat(content(answer)).as(answer.text()).isEqualTo(INSIDE);
                        case "zeros" ->
                            assertThat(content(answer)).as(answer.text()).isEqualTo("\0".repeat(100));
                        case "refused" -> isProblem(answer);
                        default -> throw new IllegalStateException("'" + words[0] + "' is no expectation");
                    }
                    revealsNothingOutside(answer);
                    final ApiClient.Answer listing = read("path=.");
                    revealsNothing(listing);
                    assertThat(listing.json().path("entries").findValuesAsText("name"))
                            .contains(Text.escaped(name));
                    shell("[ -L \"./$1\" ] || chmod 700 -- \"./$1\"; rm -rf -- \"./$1\"", name);
                }))
                .toList();
    }

    @Attack("parameters of the files route are negative, huge, or no numbers")
    @TestFactory
    List<DynamicTest> by_its_range() {
        return List.of(
                        "offset=-1",
                        "offset=9223372036854775808",
                        "offset=1e3",
                        "offset=0x10",
                        "offset=%00",
                        "length=-1",
                        "length=65537",
                        "length=2147483648",
                        "length=many",
                        "stream=/etc/passwd")
                .stream()
                .map(query -> DynamicTest.dynamicTest(query, () -> isProblem(read("path=inside&" + query))))
                .toList();
    }
}
