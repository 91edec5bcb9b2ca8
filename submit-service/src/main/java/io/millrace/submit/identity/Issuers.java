package io.millrace.submit.identity;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.sitefiles.WatchedFile;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.identity.IssuerRule;
import io.millrace.submit.domain.identity.IssuerRules;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** S-1: what each issuer of login tokens may vouch for, from a file of the site that may change at any time. */
@ApplicationScoped
public class Issuers {

    private static final String REMEDY =
            "log in on another cluster with mglogin, or ask the operators to change" + " millrace.submit.issuers-file";

    private final @Nullable WatchedFile<IssuerRules> file;
    private final DirectoryGroups groups;

    Issuers(final SubmitSettings settings, final DirectoryGroups groups) {
        final String kind = "issuers file";
        this.file = settings.issuersFile()
                .map(path -> new WatchedFile<>(kind, path, text -> IssuersFile.read(kind + " " + path, text)))
                .orElse(null);
        this.groups = groups;
    }

    /** Reads the file again if it has changed. */
    void refresh() {
        if (file != null) {
            file.refresh();
        }
    }

    /** The rules in use; the same object until the file changes. */
    IssuerRules rules() {
        return file == null ? IssuerRules.DEFAULT : file.content();
    }

    /** What is wrong with the file; empty if it is valid or there is none. */
    Optional<String> problem() {
        return Optional.ofNullable(file).map(WatchedFile::problem);
    }

    /**
     * The rule of an issuer that may vouch for the user.
     *
     * @throws RequestRefused (unauthenticated) if it may not
     */
    IssuerRule requireVouching(final ClusterId issuer, final UserName user) {
        final IssuerRule rule = rules().of(issuer)
                .orElseThrow(() -> unauthenticated("tokens of issuer '" + issuer + "' are not accepted; " + REMEDY));
        if (!rule.vouchesFor(user, groups::of)) {
            throw unauthenticated("issuer '" + issuer + "' may not vouch for user '" + user + "'; " + REMEDY);
        }
        return rule;
    }

    /** @throws RequestRefused if the caller's login may not start jobs with their directory on this cluster */
    public void requireSource(final Caller caller, final ClusterId source) {
        final ClusterId issuer = caller.issuer();
        if (issuer != null // the registration of a tool says where the directories may be
                && rules().of(issuer)
                        .filter(rule -> rule.mayStartFrom(issuer, source))
                        .isEmpty()) {
            throw new RequestRefused(
                    RequestRefused.Kind.FORBIDDEN,
                    "a login on '" + issuer + "' cannot submit jobs whose directory is on '" + source
                            + "'; log in on '" + source
                            + "' with mglogin, or ask the operators to add it to 'sources' in"
                            + " millrace.submit.issuers-file");
        }
    }

    private static RequestRefused unauthenticated(final String reason) {
        return new RequestRefused(RequestRefused.Kind.UNAUTHENTICATED, reason);
    }
}
