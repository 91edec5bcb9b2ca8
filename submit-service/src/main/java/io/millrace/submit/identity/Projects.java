package io.millrace.submit.identity;

import io.millrace.model.ProjectName;
import io.millrace.model.UserName;
import io.millrace.sitefiles.WatchedFile;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.identity.ProjectMembers;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** S-5: who is a member of a project, from a file of the site that may change at any time and from Unix groups. */
@ApplicationScoped
public class Projects {

    private static final ProjectMembers NO_FILE = new ProjectMembers(Map.of());

    private final @Nullable WatchedFile<ProjectMembers> file;
    private final ProjectMembers.Unlisted unlisted;
    private final DirectoryGroups groups;

    Projects(final SubmitSettings settings, final DirectoryGroups groups) {
        final String kind = "projects file";
        this.file = settings.projectsFile()
                .map(path -> new WatchedFile<>(kind, path, text -> ProjectsFile.read(kind + " " + path, text)))
                .orElse(null);
        this.unlisted = settings.unlistedProjects();
        this.groups = groups;
    }

    /** May block. */
    public boolean isMember(final UserName user, final ProjectName project) {
        return members().contains(project, user, unlisted, groups::of);
    }

    /**
     * @param project null for none
     * @throws RequestRefused if the user is not a member; the same for a project that does not exist
     */
    public void requireMember(final UserName user, final @Nullable ProjectName project) {
        if (project != null && !isMember(user, project)) {
            throw new RequestRefused(
                    RequestRefused.Kind.FORBIDDEN,
                    "user '" + user + "' is not a member of project '" + project
                            + "'; submit without it or for another project, or ask the operators to add the user to its"
                            + " group or to millrace.submit.projects-file");
        }
    }

    /** Whether the file lists the project, or only members of its group may name it. */
    public boolean isListed(final ProjectName project) {
        return unlisted != ProjectMembers.Unlisted.ALL || members().listed().containsKey(project);
    }

    private ProjectMembers members() {
        if (file == null) {
            return NO_FILE;
        }
        file.refresh();
        return file.content();
    }

    /** What is wrong with the file; empty if it is valid or there is none. */
    Optional<String> problem() {
        return Optional.ofNullable(file).map(WatchedFile::problem);
    }
}
