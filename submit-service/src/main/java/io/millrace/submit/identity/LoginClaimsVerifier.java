package io.millrace.submit.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import io.millrace.submit.config.SubmitSettings;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Set;

/** Verifies the claims of login tokens: audience, subject, times, a limited lifetime, and the issuer that owns the key. */
final class LoginClaimsVerifier extends DefaultJWTClaimsVerifier<TrustedKeys.TrustedKey> {

    private final Duration maxLifetime;
    private final Clock clock;

    LoginClaimsVerifier(final SubmitSettings settings, final Clock clock) {
        super(settings.audience(), null, Set.of("sub", "exp"));
        this.maxLifetime = settings.maxTokenLifetime();
        this.clock = clock;
        setMaxClockSkew((int) SubmitSettings.CLOCK_SKEW.toSeconds());
    }

    @Override
    public void verify(final JWTClaimsSet claims, final TrustedKeys.TrustedKey key) throws BadJWTException {
        super.verify(claims, key);
        if (!key.issuerClaim().equals(claims.getIssuer())) {
            throw new BadJWTException("it was not issued by '" + key.issuerClaim() + "', which owns the key");
        }
        final Instant latest = clock.instant().plus(maxLifetime).plusSeconds(getMaxClockSkew());
        if (claims.getExpirationTime().toInstant().isAfter(latest)) {
            throw new BadJWTException("it is valid for more than " + maxLifetime);
        }
    }

    @Override
    protected Date currentTime() {
        return Date.from(clock.instant());
    }
}
