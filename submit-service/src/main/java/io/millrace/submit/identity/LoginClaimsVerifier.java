package io.millrace.submit.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import io.millrace.submit.config.SubmitSettings;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.Set;

/** Verifies the claims of login tokens: audience, subject, times, a limited lifetime, and the issuer that owns the key. */
final class LoginClaimsVerifier extends DefaultJWTClaimsVerifier<TrustedKeys.TrustedKey> {

    private final Clock clock;

    LoginClaimsVerifier(final Clock clock) {
        super(SubmitSettings.AUDIENCE, null, Set.of("sub", "exp"));
        this.clock = clock;
        setMaxClockSkew((int) SubmitSettings.CLOCK_SKEW.toSeconds());
    }

    @Override
    public void verify(final JWTClaimsSet claims, final TrustedKeys.TrustedKey key) throws BadJWTException {
        super.verify(claims, key);
        if (!key.issuerClaim().equals(claims.getIssuer())) {
            throw new BadJWTException("it was not issued by '" + key.issuerClaim() + "', which owns the key");
        }
        final Instant latest =
                clock.instant().plus(SubmitSettings.MAX_TOKEN_LIFETIME).plusSeconds(getMaxClockSkew());
        if (claims.getExpirationTime().toInstant().isAfter(latest)) {
            throw new BadJWTException("it is valid for more than " + SubmitSettings.MAX_TOKEN_LIFETIME);
        }
    }

    @Override
    protected Date currentTime() {
        return Date.from(clock.instant());
    }
}
