package io.millrace.submit.domain.identity;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What an issuer of login tokens may vouch for. System accounts are included only by their exact names.
 *
 * @param users names and patterns; empty together with {@code groups}: all users
 * @param groups Unix groups of the host of submit-service, whose members are included
 * @param except names and patterns that are excluded
 * @param operators whether it may vouch for operators
 * @param sources clusters on which the jobs of its users may have their directories; null for the issuer's own
 */
public record IssuerRule(
        List<NamePattern> users,
        List<String> groups,
        List<NamePattern> except,
        boolean operators,
        @Nullable List<NamePattern> sources) {

    /** Without a rule of the site: all users, but no system account and no operator. */
    static final IssuerRule DEFAULT = new IssuerRule(List.of(), List.of(), List.of(), false, null);

    public IssuerRule {
        users = List.copyOf(users);
        groups = List.copyOf(groups);
        except = List.copyOf(except);
        sources = sources == null ? null : List.copyOf(sources);
    }

    /** @param groupsOf the Unix groups of a user; called only if the rule names groups */
    public boolean vouchesFor(final UserName user, final Function<UserName, Set<String>> groupsOf) {
        final String name = user.value();
        if (except.stream().anyMatch(excluded -> excluded.matches(name))) {
            return false;
        }
        if (users.stream().anyMatch(listed -> listed.isName() && listed.matches(name))) {
            return true;
        }
        if (SystemAccounts.contains(user)) {
            return false;
        }
        return users.isEmpty() && groups.isEmpty()
                || users.stream().anyMatch(listed -> listed.matches(name))
                || !groups.isEmpty() && groupsOf.apply(user).stream().anyMatch(groups::contains);
    }

    /** @param issuer null for a registered tool, whose rule lists the sources */
    public boolean mayStartFrom(final @Nullable ClusterId issuer, final ClusterId source) {
        return sources == null
                ? source.equals(issuer)
                : sources.stream().anyMatch(cluster -> cluster.matches(source.value()));
    }
}
