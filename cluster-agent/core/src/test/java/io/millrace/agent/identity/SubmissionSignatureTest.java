package io.millrace.agent.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.job.JobSpec;
import io.millrace.model.job.SignedDigest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmissionSignatureTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final UserName ANNA = UserName.of("anna");
    private static final GlobalJobId JOB = GlobalJobId.of("01JQZ8Y6T0000000000000000A");
    private static final String SCRIPT = "#!/bin/sh\necho grüße\n";
    private static final String MAKE = "#!/bin/sh\nmake\n";

    @TempDir
    Path folder;

    private Path file;
    private ECKey key;
    private SubmissionSignature signature;

    @BeforeEach
    void one_key_is_published() throws Exception {
        key = newKey("first");
        file = folder.resolve("submission-keys.pub.json");
        publish(key);
        signature = new SubmissionSignature(file);
    }

    @Test
    void what_was_signed_may_be_carried_out() throws Exception {
        assertThat(check(signed(key, claims().build()), ANNA, JOB, SCRIPT, MAKE))
                .isEmpty();
    }

    @Test
    void a_job_without_make_step_is_signed_over_its_script_and_a_zero_byte() throws Exception {
        final byte[] covered = (SCRIPT + "\0").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        final String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(covered));
        final String jws = signed(key, claims().claim("digest", digest).build());

        assertThat(check(jws, ANNA, JOB, SCRIPT, null)).isEmpty();
        assertThat(code(check(jws, ANNA, JOB, SCRIPT, MAKE))).isEqualTo(VetoCode.SIGNATURE_SCRIPT.code());
    }

    @Test
    void a_changed_script_is_not_what_was_signed() throws Exception {
        final String jws = signed(key, claims().build());
        assertThat(code(check(jws, ANNA, JOB, SCRIPT + "rm -rf ~\n", MAKE)))
                .isEqualTo(VetoCode.SIGNATURE_SCRIPT.code());
        assertThat(code(check(jws, ANNA, JOB, SCRIPT, null))).isEqualTo(VetoCode.SIGNATURE_SCRIPT.code());
        assertThat(code(check(jws, ANNA, JOB, SCRIPT, MAKE + " "))).isEqualTo(VetoCode.SIGNATURE_SCRIPT.code());
    }

    @Test
    void the_arguments_of_the_script_are_signed() throws Exception {
        final JobSpec spec = spec(SCRIPT, MAKE, "a b", "c");
        final String jws =
                signed(key, claims().claim("digest", SignedDigest.of(spec)).build());

        assertThat(signature.verify(jws, ANNA, JOB, spec, NOW)).isEmpty();
        for (final JobSpec other :
                List.of(spec(SCRIPT, MAKE), spec(SCRIPT, MAKE, "a", "b c"), spec(SCRIPT, MAKE + "\0a b", "c", ""))) {
            assertThat(code(signature.verify(jws, ANNA, JOB, other, NOW))).isEqualTo(VetoCode.SIGNATURE_SCRIPT.code());
        }
    }

    @Test
    void the_variables_of_the_job_are_signed() throws Exception {
        final JobSpec spec = spec(SCRIPT, MAKE, "a").withEnvironment(Map.of("MODEL", "x", "RUN", "7"));
        final String jws =
                signed(key, claims().claim("digest", SignedDigest.of(spec)).build());

        assertThat(signature.verify(jws, ANNA, JOB, spec, NOW)).isEmpty();
        for (final Map<String, String> other : List.of(
                Map.of("MODEL", "x", "RUN", "7", "BASH_ENV", "/tmp/evil"),
                Map.of("MODEL", "x", "RUN", "8"),
                Map.of("MODEL", "x", "LD_PRELOAD", "7"),
                Map.of("MODEL", "x"),
                Map.<String, String>of())) {
            assertThat(code(signature.verify(jws, ANNA, JOB, spec.withEnvironment(other), NOW)))
                    .isEqualTo(VetoCode.SIGNATURE_SCRIPT.code());
        }
        final JobSpec moved = spec(SCRIPT, MAKE, "a", "MODEL=x").withEnvironment(Map.of("RUN", "7"));
        assertThat(code(signature.verify(jws, ANNA, JOB, moved, NOW))).isEqualTo(VetoCode.SIGNATURE_SCRIPT.code());
    }

    @Test
    void a_signature_is_valid_only_for_its_user_and_its_job() throws Exception {
        final String jws = signed(key, claims().build());
        final Optional<Veto> owner = check(jws, UserName.of("root"), JOB, SCRIPT, MAKE);
        assertThat(code(owner)).isEqualTo(VetoCode.SIGNATURE_OWNER.code());
        assertThat(owner.orElseThrow().reason()).contains("'anna'").contains("'root'");
        assertThat(code(check(jws, ANNA, GlobalJobId.of("01JQZ8Y6T0000000000000000B"), SCRIPT, MAKE)))
                .isEqualTo(VetoCode.SIGNATURE_JOB.code());
    }

    @Test
    void it_expires() throws Exception {
        final String jws = signed(key, claims().build());
        assertThat(signature.verify(jws, ANNA, JOB, spec(SCRIPT, MAKE), NOW.plus(Duration.ofDays(30))))
                .hasValueSatisfying(veto -> assertThat(veto.code()).isEqualTo(VetoCode.SIGNATURE_EXPIRED.code()));
        final String endless = signed(key, claims().expirationTime(null).build());
        assertThat(code(check(endless, ANNA, JOB, SCRIPT, MAKE))).isEqualTo(VetoCode.SIGNATURE_EXPIRED.code());
    }

    @Test
    void a_key_that_only_pretends_to_be_ours_does_not_count() throws Exception {
        final String jws = signed(newKey("first"), claims().build());
        assertThat(code(check(jws, ANNA, JOB, SCRIPT, MAKE))).isEqualTo(VetoCode.SIGNATURE_INVALID.code());
    }

    @Test
    void an_unpublished_key_is_not_trusted() throws Exception {
        final String jws = signed(newKey("stranger"), claims().build());
        assertThat(check(jws, ANNA, JOB, SCRIPT, MAKE).orElseThrow().reason())
                .contains("'stranger'")
                .contains(file.toString());
    }

    @Test
    void only_es256_counts() throws Exception {
        final String none = new PlainJWT(claims().build()).serialize();
        assertThat(code(check(none, ANNA, JOB, SCRIPT, MAKE))).isEqualTo(VetoCode.SIGNATURE_UNREADABLE.code());
        // The classic confusion: our public key taken as the secret of a symmetric algorithm.
        final byte[] secret = key.toPublicJWK().toJSONString().getBytes(java.nio.charset.StandardCharsets.UTF_8);
        final String symmetric = signed(JWSAlgorithm.HS256, "first", new MACSigner(secret), claims().build());
        assertThat(code(check(symmetric, ANNA, JOB, SCRIPT, MAKE))).isEqualTo(VetoCode.SIGNATURE_ALGORITHM.code());
    }

    @Test
    void rubbish_is_refused_with_a_reason() throws Exception {
        for (final String rubbish : new String[] {"", ".", "..", "a.b.c", "{}", "\0", "é.é.é"}) {
            assertThat(code(check(rubbish, ANNA, JOB, SCRIPT, MAKE))).isEqualTo(VetoCode.SIGNATURE_UNREADABLE.code());
        }
        final String odd = signed(key, claims().claim("digest", 7).build());
        assertThat(code(check(odd, ANNA, JOB, SCRIPT, MAKE))).isEqualTo(VetoCode.SIGNATURE_UNREADABLE.code());
    }

    @Test
    void a_key_added_later_needs_no_restart() throws Exception {
        final ECKey second = newKey("second");
        final String jws = signed(second, claims().build());
        assertThat(code(check(jws, ANNA, JOB, SCRIPT, MAKE))).isEqualTo(VetoCode.SIGNATURE_KEY_UNKNOWN.code());

        publish(key, second);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(1)));

        assertThat(check(jws, ANNA, JOB, SCRIPT, MAKE)).isEmpty();
    }

    @Test
    void without_a_key_file_the_veto_names_it_and_may_pass() throws Exception {
        Files.delete(file);
        final Optional<Veto> veto = check(signed(key, claims().build()), ANNA, JOB, SCRIPT, MAKE);
        assertThat(veto).hasValueSatisfying(v -> {
            assertThat(v.permanent()).isFalse();
            assertThat(v.reason()).contains(file.toString());
        });
    }

    private Optional<Veto> check(
            final String jws, final UserName owner, final GlobalJobId job, final String script, final String make) {
        return signature.verify(jws, owner, job, spec(script, make), NOW);
    }

    private static JobSpec spec(final String script, final String make, final String... arguments) {
        return new JobSpec(
                "mesh",
                script,
                make,
                Resources.cores(1),
                Duration.ofHours(1),
                null,
                null,
                Map.of(),
                new CheckpointMethod.None(),
                false,
                List.of(arguments));
    }

    private static String code(final Optional<Veto> veto) {
        return veto.orElseThrow().code();
    }

    private static JWTClaimsSet.Builder claims() {
        return new JWTClaimsSet.Builder()
                .subject("anna")
                .claim("job", JOB.value())
                .claim("digest", SignedDigest.of(spec(SCRIPT, MAKE)))
                .expirationTime(Date.from(NOW.plus(Duration.ofDays(30))));
    }

    private static ECKey newKey(final String id) throws Exception {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    }

    private void publish(final ECKey... keys) throws Exception {
        Files.writeString(
                file, new JWKSet(java.util.List.of(keys)).toPublicJWKSet().toString());
    }

    private static String signed(final ECKey key, final JWTClaimsSet claims) throws Exception {
        return signed(JWSAlgorithm.ES256, key.getKeyID(), new ECDSASigner(key), claims);
    }

    private static String signed(
            final JWSAlgorithm algorithm, final String keyId, final JWSSigner signer, final JWTClaimsSet claims)
            throws Exception {
        final SignedJWT jwt =
                new SignedJWT(new JWSHeader.Builder(algorithm).keyID(keyId).build(), claims);
        jwt.sign(signer);
        return jwt.serialize();
    }
}
