package io.millrace.submit.domain.identity;

import io.millrace.model.ClusterId;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the site lets the issuers of login tokens vouch for.
 *
 * @param listed by issuer; an issuer that is not listed is not accepted. Null: every trusted key is accepted with the default rule.
 */
public record IssuerRules(@Nullable Map<ClusterId, IssuerRule> listed) {

    /** Without a file of the site. */
    public static final IssuerRules DEFAULT = new IssuerRules(null);

    public IssuerRules {
        listed = listed == null ? null : Map.copyOf(listed);
    }

    /** Empty if the issuer is not accepted. */
    public Optional<IssuerRule> of(final ClusterId issuer) {
        return listed == null ? Optional.of(IssuerRule.DEFAULT) : Optional.ofNullable(listed.get(issuer));
    }
}
