package io.millrace.submit.identity;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.millrace.model.ProjectName;
import io.millrace.sitefiles.YamlFile;
import io.millrace.submit.domain.identity.NamePattern;
import io.millrace.submit.domain.identity.ProjectMembers;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of projects:
 *
 * <pre>
 *   projects:
 *     climate:
 *       users: [anna, "cl_*"]    # names and patterns
 *       groups: [climate, ocean] # members of these Unix groups as well
 * </pre>
 */
final class ProjectsFile {

    private ProjectsFile() {}

    /**
     * @param name what messages call the file
     * @throws IllegalArgumentException if the text has an error; names line and column
     */
    static ProjectMembers read(final String name, final String text) {
        return YamlFile.parse(name, text, Content.class, Content::members);
    }

    private record Content(@Nullable Map<ProjectName, @Nullable Section> projects) {

        private ProjectMembers members() {
            final Map<ProjectName, ProjectMembers.Members> members = new TreeMap<>();
            YamlFile.required(projects, "projects")
                    .forEach((project, section) -> members.put(project, Section.members(section)));
            return new ProjectMembers(members);
        }
    }

    private record Section(
            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<NamePattern> users,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<String> groups) {

        private static ProjectMembers.Members members(final @Nullable Section given) {
            return given == null
                    ? new ProjectMembers.Members(List.of(), List.of())
                    : new ProjectMembers.Members(
                            Objects.requireNonNullElse(given.users, List.of()),
                            Objects.requireNonNullElse(given.groups, List.of()));
        }
    }
}
