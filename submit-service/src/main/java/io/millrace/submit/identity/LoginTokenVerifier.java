package io.millrace.submit.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.model.UserName;
import io.millrace.submit.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import jakarta.enterprise.context.ApplicationScoped;
import java.text.ParseException;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Believes a bearer token, or says why not. */
@ApplicationScoped
public class LoginTokenVerifier {

    private static final int MAX_LENGTH = 8192;
    private static final String REMEDY = ": get a new token with mglogin";

    private final TrustedKeys keys;
    private final SubmitSettings settings;
    private final Set<String> operators;
    private final Clock clock;

    LoginTokenVerifier(final TrustedKeys keys, final SubmitSettings settings, final Clock clock) {
        this.keys = keys;
        this.settings = settings;
        this.operators = Set.copyOf(settings.operators().orElse(List.of()));
        this.clock = clock;
    }

    /**
     * Who asks, and until when the token is good.
     */
    public record AuthenticatedCaller(Caller caller, Instant until) {}

    /** Whether {@link #verify} may have to read files first. */
    public boolean mayBlock(final String token) {
        try {
            final String keyId = SignedJWT.parse(token).getHeader().getKeyID();
            return keyId != null && !keys.knows(keyId);
        } catch (ParseException e) {
            return false; // refused without looking at keys
        }
    }

    /** @throws RequestRefused (unauthenticated) with the reason */
    public AuthenticatedCaller verify(final String token) {
        final SignedJWT jwt = parse(token);
        if (!JWSAlgorithm.ES256.equals(jwt.getHeader().getAlgorithm())) {
            throw no("the token is signed with '" + jwt.getHeader().getAlgorithm() + "', only ES256 is taken");
        }
        final String keyId = jwt.getHeader().getKeyID();
        if (keyId == null) {
            throw no("the token names no key (kid)");
        }
        final TrustedKeys.TrustedKey key = keys.find(keyId)
                .orElseThrow(() -> no("the token's key '" + shortened(keyId) + "' is not trusted here" + REMEDY));
        if (!signedBy(jwt, key.key())) {
            throw no("the token's signature is wrong" + REMEDY);
        }
        return believed(claims(jwt), key.issuer());
    }

    private AuthenticatedCaller believed(final JWTClaimsSet claims, final String issuer) {
        if (!issuer.equals(claims.getIssuer())) {
            throw no("the token was not issued by '" + issuer + "', whose key signed it" + REMEDY);
        }
        if (!claims.getAudience().contains(settings.audience())) {
            throw no("the token is not for '" + settings.audience() + "'" + REMEDY);
        }
        final Instant until = until(claims.getExpirationTime());
        final Date notBefore = claims.getNotBeforeTime();
        if (notBefore != null && notBefore.toInstant().isAfter(clock.instant().plus(settings.clockSkew()))) {
            throw no("the token is not valid before " + notBefore.toInstant() + ": check the clocks");
        }
        return new AuthenticatedCaller(caller(claims.getSubject()), until);
    }

    private Instant until(final @Nullable Date expiry) {
        if (expiry == null) {
            throw no("the token never expires" + REMEDY);
        }
        final Instant now = clock.instant();
        final Instant until = expiry.toInstant();
        if (!until.isAfter(now.minus(settings.clockSkew()))) {
            throw no("the token expired at " + until + REMEDY);
        }
        if (until.isAfter(now.plus(settings.tokenLife()).plus(settings.clockSkew()))) {
            throw no("the token lives longer than " + settings.tokenLife() + REMEDY);
        }
        return until;
    }

    private Caller caller(final @Nullable String subject) {
        if (subject == null) {
            throw no("the token names no user" + REMEDY);
        }
        try {
            return new Caller(UserName.of(subject), operators.contains(subject));
        } catch (IllegalArgumentException e) {
            throw no("the token's user is no user name" + REMEDY);
        }
    }

    private static SignedJWT parse(final String token) {
        if (token.length() > MAX_LENGTH) {
            throw no("the token has more than " + MAX_LENGTH + " characters");
        }
        try {
            return SignedJWT.parse(token);
        } catch (ParseException e) {
            throw no("the token is no signed JWT" + REMEDY);
        }
    }

    private static JWTClaimsSet claims(final SignedJWT jwt) {
        try {
            return jwt.getJWTClaimsSet();
        } catch (ParseException e) {
            throw no("the token's claims cannot be read" + REMEDY);
        }
    }

    private static boolean signedBy(final SignedJWT jwt, final ECKey key) {
        try {
            return jwt.verify(new ECDSAVerifier(key));
        } catch (JOSEException e) {
            return false; // a signature that cannot be checked is a wrong one
        }
    }

    private static String shortened(final String keyId) {
        return keyId.length() <= 64 ? keyId : keyId.substring(0, 64) + "…";
    }

    private static RequestRefused no(final String because) {
        return new RequestRefused(RequestRefused.Kind.UNAUTHENTICATED, because);
    }
}
