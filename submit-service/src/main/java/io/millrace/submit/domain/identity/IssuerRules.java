package io.millrace.submit.domain.identity;

import io.millrace.model.ClusterId;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the site lets the issuers of login tokens vouch for.
 *
 * @param listed by issuer
 * @param others the rule of all other issuers with a trusted key; null: they are not accepted
 */
public record IssuerRules(
        Map<ClusterId, IssuerRule> listed, @Nullable IssuerRule others) {

    /** Without a file of the site. */
    public static final IssuerRules DEFAULT = new IssuerRules(Map.of(), IssuerRule.DEFAULT);

    public IssuerRules {
        listed = Map.copyOf(listed);
    }

    /** Empty if the issuer is not accepted. */
    public Optional<IssuerRule> of(final ClusterId issuer) {
        return Optional.ofNullable(listed.getOrDefault(issuer, others));
    }
}
