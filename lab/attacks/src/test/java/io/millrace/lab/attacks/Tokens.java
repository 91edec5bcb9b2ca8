package io.millrace.lab.attacks;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Login tokens: valid ones, and forged ones that no route may accept. */
final class Tokens {

    static final String ISSUER = "agent/alpha";
    private static final String USER = "victim";

    private final ECKey trusted;
    private final Map<String, String> forged = new LinkedHashMap<>();

    private Tokens(final ECKey trusted) {
        this.trusted = trusted;
    }

    static ECKey newKey() {
        return newKey(Curve.P_256);
    }

    private static ECKey newKey(final Curve curve) {
        try {
            return new ECKeyGenerator(curve).keyIDFromThumbprint(true).generate();
        } catch (final JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    static String of(final ECKey key, final String user) {
        return signed(key, header(key).build(), claims(user).build());
    }

    /** Tokens that an attacker can make without the private key, and misused ones of the issuer itself, by description. */
    static Map<String, String> forged(final ECKey trusted) {
        final Tokens tokens = new Tokens(trusted);
        tokens.withoutTheKey();
        tokens.withOtherTexts();
        tokens.withOtherClaims();
        return tokens.forged;
    }

    private void withoutTheKey() {
        final ECKey own = newKey();
        final ECKey disguised = new ECKey.Builder(own).keyID(trusted.getKeyID()).build();
        final JWTClaimsSet claims = claims(USER).build();
        forged.put("an unknown key", of(own, USER));
        forged.put("an unknown key under a trusted key id", of(disguised, USER));
        forged.put("algorithm none", new PlainJWT(claims).serialize());
        forged.put(
                "algorithm none under a trusted key id",
                parts("{\"alg\":\"none\",\"kid\":\"" + trusted.getKeyID() + "\"}", claims, ""));
        forged.put(
                "algorithm nOnE with a signature", parts("{\"alg\":\"nOnE\"}", claims, signature(of(trusted, USER))));
        forged.put("HS256 with the public key as the secret", symmetric(claims));
        forged.put(
                "another curve (P-384)",
                signed(
                        newKey(Curve.P_384),
                        new JWSHeader.Builder(JWSAlgorithm.ES384)
                                .keyID(trusted.getKeyID())
                                .build(),
                        claims));
        forged.put(
                "a key in the header (jwk)",
                signed(own, header(disguised).jwk(own.toPublicJWK()).build(), claims));
        forged.put(
                "the address of a key set (jku)",
                signed(
                        own,
                        header(disguised)
                                .jwkURL(URI.create("http://127.0.0.1:1/keys"))
                                .build(),
                        claims));
        for (final String id : List.of("../trusted/alpha", "/dev/null", "alpha.pub.json", "' OR '1'='1")) {
            forged.put("the key id " + id, of(new ECKey.Builder(own).keyID(id).build(), USER));
        }
        forged.put(
                "a signature of zeros",
                withSignature(Base64URL.encode(new byte[64]).toString()));
    }

    private void withOtherTexts() {
        final String good = of(trusted, USER);
        forged.put("no token", "");
        forged.put("no JWT", "abc");
        forged.put("two dots", "..");
        forged.put("a part too few", good.substring(0, good.lastIndexOf('.')));
        forged.put("no signature", withSignature(""));
        forged.put("half a signature", withSignature(signature(good).substring(0, 43)));
        forged.put(
                "a changed payload",
                parts(json(header(trusted).build()), claims("olga").build(), signature(good)));
        forged.put("64 KiB", good + "A".repeat(1 << 12));
        forged.put(
                "the subject twice",
                parts(json(header(trusted).build()), "{\"sub\":\"mallory\",\"sub\":\"victim\"}", signature(good)));
        forged.put(
                "an unknown critical header",
                signed(
                        trusted,
                        header(trusted)
                                .criticalParams(Set.of("exotic"))
                                .customParam("exotic", true)
                                .build(),
                        claims(USER).build()));
    }

    private void withOtherClaims() {
        final Instant now = Instant.now();
        claim("expired", c -> c.expirationTime(Date.from(now.minusSeconds(60))));
        claim("no expiry", c -> c.expirationTime(null));
        claim("valid for a day", c -> c.expirationTime(Date.from(now.plusSeconds(86_400))));
        claim("valid until the year 292278994", c -> c.expirationTime(new Date(Long.MAX_VALUE)));
        claim("not valid yet", c -> c.notBeforeTime(Date.from(now.plusSeconds(600))));
        claim("another audience", c -> c.audience("other"));
        claim("no audience", c -> c.audience((String) null));
        claim("another issuer", c -> c.issuer("agent/beta"));
        claim("no issuer", c -> c.issuer(null));
        claim("no subject", c -> c.subject(null));
        claim("a subject that is a list", c -> c.claim("sub", List.of(USER, "olga")));
        claim("a subject that is a number", c -> c.claim("sub", 0));
        claim("a subject with a line end", c -> c.subject("victim\nolga"));
        claim("a subject that is an option", c -> c.subject("-rf"));
        claim("a subject that is a path", c -> c.subject("../victim"));
    }

    private void claim(final String what, final UnaryOperator<JWTClaimsSet.Builder> change) {
        forged.put(
                what,
                signed(
                        trusted,
                        header(trusted).build(),
                        change.apply(claims(USER)).build()));
    }

    static JWTClaimsSet.Builder claims(final String user) {
        final Instant now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(ISSUER)
                .audience("millrace")
                .subject(user)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(3600)));
    }

    private static JWSHeader.Builder header(final ECKey key) {
        return new JWSHeader.Builder(JWSAlgorithm.ES256)
                .type(JOSEObjectType.JWT)
                .keyID(key.getKeyID());
    }

    private static String json(final JWSHeader header) {
        return header.toString();
    }

    private static String signed(final ECKey key, final JWSHeader header, final JWTClaimsSet claims) {
        try {
            final SignedJWT token = new SignedJWT(header, claims);
            token.sign(new ECDSASigner(key));
            return token.serialize();
        } catch (final JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private String symmetric(final JWTClaimsSet claims) {
        try {
            final SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.HS256)
                            .keyID(trusted.getKeyID())
                            .build(),
                    claims);
            token.sign(new MACSigner(trusted.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8)));
            return token.serialize();
        } catch (final JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String parts(final String header, final JWTClaimsSet claims, final String signature) {
        return parts(header, claims.toString(), signature);
    }

    private static String parts(final String header, final String claims, final String signature) {
        return Base64URL.encode(header) + "." + Base64URL.encode(claims) + "." + signature;
    }

    private String withSignature(final String signature) {
        final String good = of(trusted, USER);
        return good.substring(0, good.lastIndexOf('.') + 1) + signature;
    }

    private static String signature(final String token) {
        return Arrays.asList(token.split("\\.")).getLast();
    }
}
