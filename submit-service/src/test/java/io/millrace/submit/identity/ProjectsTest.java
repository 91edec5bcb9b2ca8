package io.millrace.submit.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.testing.Attack;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** S-5: only members charge a project. */
class ProjectsTest {

    private static final UserName ME = UserName.of(System.getProperty("user.name"));

    @TempDir
    private Path folder;

    private static Projects open(final SmallRyeConfigBuilder given) {
        final SubmitSettings settings = given.addDiscoveredConverters()
                .withMapping(SubmitSettings.class)
                .build()
                .getConfigMapping(SubmitSettings.class);
        return new Projects(settings, new DirectoryGroups(Clock.systemUTC()));
    }

    private Projects openWith(final String text, final String unlisted) throws IOException {
        final Path file = Files.writeString(folder.resolve("projects.yaml"), text);
        return open(new SmallRyeConfigBuilder()
                .withDefaultValue("millrace.submit.projects-file", file.toString())
                .withDefaultValue("millrace.submit.unlisted-projects", unlisted));
    }

    @Test
    @Attack("a stranger charges a project")
    void without_a_file_the_members_are_those_of_the_unix_group() throws IOException {
        final Projects projects = open(new SmallRyeConfigBuilder());
        final String group =
                String.valueOf(Files.getAttribute(Files.createFile(folder.resolve("mine")), "posix:group"));
        assertThat(projects.isMember(ME, ProjectName.of(group))).isTrue();
        assertThat(projects.isMember(UserName.of("not-an-account-of-this-host"), ProjectName.of(group)))
                .isFalse();
        assertThatThrownBy(() -> projects.requireMember(ME, ProjectName.of("secretproj")))
                .isInstanceOfSatisfying(
                        RequestRefused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(RequestRefused.Kind.FORBIDDEN))
                .hasMessageContaining("is not a member of project 'secretproj'");
        assertThatCode(() -> projects.requireMember(ME, null)).doesNotThrowAnyException();
    }

    @Test
    void a_file_lists_members_by_name_pattern_and_group() throws IOException {
        final Projects projects = openWith("projects:\n  climate:\n    users: [anna, cl_*]\n  closed:\n", "none");
        final ProjectName climate = ProjectName.of("climate");
        assertThat(projects.isMember(UserName.of("anna"), climate)).isTrue();
        assertThat(projects.isMember(UserName.of("cl_7"), climate)).isTrue();
        assertThat(projects.isMember(UserName.of("ben"), climate)).isFalse();
        assertThat(projects.isMember(UserName.of("anna"), ProjectName.of("closed")))
                .isFalse();
        assertThat(projects.isMember(UserName.of("anna"), ProjectName.of("other")))
                .isFalse();
    }

    @Test
    void a_site_may_leave_the_check_to_its_workload_managers() throws IOException {
        final Projects projects = openWith("projects:\n  climate:\n    users: anna\n", "all");
        assertThat(projects.isMember(UserName.of("ben"), ProjectName.of("other")))
                .isTrue();
        assertThat(projects.isMember(UserName.of("ben"), ProjectName.of("climate")))
                .isFalse();
    }
}
