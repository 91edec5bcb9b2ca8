package io.millrace.submit.tools;

import io.millrace.submit.domain.identity.IssuerRule;
import java.security.interfaces.ECPublicKey;

/**
 * A registered tool.
 *
 * @param name of its topics, as a cluster name
 * @param key verifies its requests
 * @param rule for whom it may submit, and on which clusters the directories may be
 */
record Tool(String name, ECPublicKey key, IssuerRule rule) {

    /** What the claim {@code iss} of its requests must be. */
    String issuerClaim() {
        return "tool/" + name;
    }
}
