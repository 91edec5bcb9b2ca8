package io.millrace.submit.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.submit.domain.identity.IssuerRule;
import io.millrace.submit.domain.identity.IssuerRules;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.Key;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Verifies login tokens: JWTs that an agent signed with ES256 and a key that this site trusts. */
@ApplicationScoped
public class LoginTokenVerifier {

    private static final int MAX_LENGTH = 8192;
    private static final String REMEDY = "; get a new token with mglogin";

    private final TrustedKeys keys;
    private final Issuers issuers;
    private final UserLocks locks;
    private final Set<String> operators;
    private final Duration interval;
    private final Duration membershipAge;
    private final Clock clock;
    private volatile Instant filesRead = Instant.EPOCH;
    private final DefaultJWTProcessor<TrustedKeys.TrustedKey> processor = new DefaultJWTProcessor<>();
    /** Verifying a signature costs more than the rest of most requests. */
    private final Map<String, VerifiedToken> verified = Collections.synchronizedMap(new LatestTokens());

    LoginTokenVerifier(
            final TrustedKeys keys,
            final Issuers issuers,
            final UserLocks locks,
            final SubmitSettings settings,
            final Clock clock) {
        this.keys = keys;
        this.issuers = issuers;
        this.locks = locks;
        this.operators = Set.copyOf(settings.operators().orElse(List.of()));
        this.interval = settings.trustedKeysInterval();
        this.membershipAge = SubmitSettings.MEMBERSHIP_AGE;
        this.clock = clock;
        processor.setJWSKeySelector(LoginTokenVerifier::publicKey);
        processor.setJWTClaimsSetVerifier(new LoginClaimsVerifier(clock));
    }

    /**
     * The sender of a request.
     *
     * @param validUntil expiry of the token
     * @param keyId of the key that signed it
     */
    public record AuthenticatedCaller(Caller caller, Instant validUntil, String keyId) {}

    /** @param checkedAt when its issuer's rule was applied, which asks for the groups of users */
    private record VerifiedToken(
            AuthenticatedCaller caller, TrustedKeys.TrustedKey key, IssuerRules rules, Instant checkedAt) {}

    /** The most recently used tokens. */
    private static final class LatestTokens extends LinkedHashMap<String, VerifiedToken> {

        private static final int MOST = 1000;
        private static final long serialVersionUID = 1;

        LatestTokens() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(final Map.Entry<String, VerifiedToken> eldest) {
            return size() > MOST;
        }
    }

    /** Whether {@link #verify} may have to read files or ask for groups first. */
    public boolean mayBlock(final String token) {
        final VerifiedToken earlier = verified.get(token);
        return filesAreDue() || earlier == null || !isValid(earlier);
    }

    /** @throws RequestRefused with the reason: unauthenticated, or forbidden if the user is locked */
    public AuthenticatedCaller verify(final String token) {
        readFiles();
        final VerifiedToken earlier = verified.get(token);
        if (earlier != null && isValid(earlier)) {
            locks.requireUnlocked(earlier.caller().caller().user());
            return earlier.caller();
        }
        verified.remove(token);
        final SignedJWT jwt = parse(token);
        final TrustedKeys.TrustedKey key = trustedKey(jwt.getHeader());
        // The parsed claims contain a number as text.
        final Map<String, Object> payload = jwt.getPayload().toJSONObject();
        if (payload != null && payload.get("sub") instanceof Number) {
            throw refused("the subject of the token is a number" + REMEDY);
        }
        try {
            final JWTClaimsSet claims = processor.process(jwt, key);
            final IssuerRules rules = issuers.rules();
            final AuthenticatedCaller caller = new AuthenticatedCaller(
                    caller(claims.getSubject(), key.issuer()),
                    claims.getExpirationTime().toInstant(),
                    key.key().getKeyID());
            verified.put(token, new VerifiedToken(caller, key, rules, clock.instant()));
            locks.requireUnlocked(caller.caller().user());
            return caller;
        } catch (BadJOSEException | JOSEException e) {
            throw refused("the token is not valid: " + e.getMessage() + REMEDY);
        }
    }

    /** Whether a token with these claims would still be accepted, with the same rights. May block. */
    public boolean isStillAccepted(final AuthenticatedCaller earlier) {
        readFiles();
        final Caller caller = earlier.caller();
        if (!clock.instant().isBefore(earlier.validUntil())
                || keys.find(earlier.keyId())
                        .filter(key -> key.issuer().equals(caller.issuer()))
                        .isEmpty()) {
            return false;
        }
        try {
            locks.requireUnlocked(caller.user());
            return caller(caller.user(), Objects.requireNonNull(caller.issuer()))
                    .equals(caller);
        } catch (RequestRefused e) {
            return e.kind() == RequestRefused.Kind.UNAVAILABLE; // the groups are looked up again later
        }
    }

    private boolean filesAreDue() {
        return !clock.instant().isBefore(filesRead.plus(interval));
    }

    /** Limits disk reads. */
    private void readFiles() {
        if (filesAreDue()) {
            filesRead = clock.instant();
            keys.reload();
            issuers.refresh();
        }
    }

    /** A verified token stays valid until it expires, its key is no longer trusted, or its issuer's rule has to be applied again. */
    private boolean isValid(final VerifiedToken token) {
        final Instant now = clock.instant();
        return now.isBefore(token.caller().validUntil())
                && keys.trusts(token.key())
                && token.rules() == issuers.rules()
                && now.isBefore(token.checkedAt().plus(membershipAge));
    }

    private static SignedJWT parse(final String token) {
        if (token.length() > MAX_LENGTH) {
            throw refused("the token has more than " + MAX_LENGTH + " characters");
        }
        try {
            return SignedJWT.parse(token);
        } catch (ParseException e) {
            throw refused("the token is not a signed JWT" + REMEDY);
        }
    }

    private TrustedKeys.TrustedKey trustedKey(final JWSHeader header) {
        if (!JWSAlgorithm.ES256.equals(header.getAlgorithm())) {
            throw refused("the token is signed with '" + header.getAlgorithm() + "'; only ES256 is accepted");
        }
        final String keyId = header.getKeyID();
        if (keyId == null) {
            throw refused("the token has no key id (kid)" + REMEDY);
        }
        return keys.find(keyId).orElseThrow(() -> refused("key '" + shortened(keyId) + "' is not trusted" + REMEDY));
    }

    private static List<Key> publicKey(final JWSHeader header, final TrustedKeys.TrustedKey trusted)
            throws KeySourceException {
        try {
            return List.of(trusted.key().toECPublicKey());
        } catch (JOSEException e) {
            throw new KeySourceException("the trusted key is not a valid EC key", e);
        }
    }

    private Caller caller(final @Nullable String subject, final ClusterId issuer) {
        final UserName user;
        try {
            user = UserName.of(String.valueOf(subject));
        } catch (IllegalArgumentException e) {
            throw refused("the subject of the token is not a valid user name" + REMEDY);
        }
        return caller(user, issuer);
    }

    private Caller caller(final UserName user, final ClusterId issuer) {
        final IssuerRule rule = issuers.requireVouching(issuer, user);
        return new Caller(user, rule.operators() && operators.contains(user.value()), issuer);
    }

    private static String shortened(final String keyId) {
        return keyId.length() <= 64 ? keyId : keyId.substring(0, 64) + "…";
    }

    private static RequestRefused refused(final String reason) {
        return new RequestRefused(RequestRefused.Kind.UNAUTHENTICATED, reason);
    }
}
