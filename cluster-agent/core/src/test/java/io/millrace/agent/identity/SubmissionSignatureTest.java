package io.millrace.agent.identity;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.millrace.agent.identity.SubmissionSignature.Checked;
import io.millrace.model.ClusterId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.Resources;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.cluster.CheckpointMethod;
import io.millrace.model.file.FileRequest;
import io.millrace.model.job.FileFilters;
import io.millrace.model.job.JobSpec;
import io.millrace.model.transfer.FilterRule;
import io.millrace.testing.Attack;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SubmissionSignatureTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final UserName ANNA = UserName.of("anna");
    private static final GlobalJobId JOB = GlobalJobId.of("01JQZ8Y6T0000000000000000A");
    private static final JobSpec SPEC = spec("#!/bin/sh\necho grüße\n", "#!/bin/sh\nmake\n", "a b", "c")
            .withEnvironment(Map.of("MODEL", "x", "RUN", "7"));
    private static final Authorization.Origin ORIGIN = new Authorization.Origin(
            ANNA, ClusterId.of("alpha"), JOB, ClusterId.of("alpha"), "/home/anna/größe 100%\n", FileFilters.NONE);

    @TempDir
    Path folder;

    private final TestSigner signer = new TestSigner("first");
    private Path file;
    private SubmissionSignature signature;

    @BeforeEach
    void one_key_is_published() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        file = folder.resolve("submission-keys.pub.json");
        TestSigner.publish(file, signer);
        signature = new SubmissionSignature(file);
    }

    private String signed() {
        return signed(signer);
    }

    private static String signed(final TestSigner by) {
        return by.submission(ORIGIN, SPEC, NOW.plus(Duration.ofDays(30)), NOW.plus(Duration.ofDays(400)));
    }

    @Test
    void what_was_signed_is_read_as_it_was_written() {
        final Authorization read = valid(signed());

        assertThat(read.covers(SPEC)).isTrue();
        assertThat(read.directory()).isEqualTo(ORIGIN.directory());
        assertThat(read.issuer()).isEqualTo("alpha");
        assertThat(read.until()).isEqualTo(NOW.plus(Duration.ofDays(30)));
        assertThat(read.copiesUntil()).isEqualTo(NOW.plus(Duration.ofDays(400)));
    }

    @Attack("a program that can write commands changes the script, its arguments, its variables or the make step")
    @Test
    void everything_that_runs_is_signed() {
        final Authorization read = valid(signed());
        final String script = SPEC.script();
        final String make = SPEC.make();
        final Map<String, String> variables = SPEC.environment();
        for (final JobSpec other : List.of(
                spec(script + "rm -rf ~\n", make, "a b", "c").withEnvironment(variables),
                spec(script, null, "a b", "c").withEnvironment(variables),
                spec(script, make + " ", "a b", "c").withEnvironment(variables),
                spec(script, make).withEnvironment(variables),
                spec(script, make, "a", "b c").withEnvironment(variables),
                spec(script, make, "a b", "c", "").withEnvironment(variables),
                spec(script, make, "a b\0c").withEnvironment(variables),
                spec(script, make, "a b", "c"),
                spec(script, make, "a b", "c", "MODEL=x").withEnvironment(Map.of("RUN", "7")),
                spec(script, make, "a b", "c").withEnvironment(Map.of("MODEL", "x", "RUN", "8")),
                spec(script, make, "a b", "c").withEnvironment(Map.of("MODEL", "x\0RUN=7")),
                spec(script, make, "a b", "c").withEnvironment(Map.of("MODEL", "x", "RUN", "7", "BASH_ENV", "/tmp/e")),
                spec(script, make, "a b", "c").withEnvironment(Map.of("MODEL", "x", "LD_PRELOAD", "7")))) {
            assertThat(read.covers(other)).as("%s", other).isFalse();
        }
    }

    @Attack("filter rules are moved from the copy of the inputs to that of the results, or split otherwise")
    @Test
    void the_filter_rules_of_both_copies_are_signed() {
        final List<FilterRule> rules = List.of(FilterRule.of("- *.tmp"), FilterRule.of("+ a"));
        final Authorization read = valid(signer.submission(
                new Authorization.Origin(
                        ANNA, null, JOB, ClusterId.of("alpha"), "/home/anna/x", new FileFilters(rules, List.of())),
                SPEC,
                NOW.plusSeconds(1),
                NOW.plusSeconds(2)));

        assertThat(read.coversInputs(rules)).isTrue();
        assertThat(read.coversResults(null)).isTrue();
        assertThat(read.coversInputs(null)).isFalse();
        assertThat(read.coversResults(rules)).isFalse();
        assertThat(read.coversInputs(List.of(FilterRule.of("- *.tmp+ a")))).isFalse();
        assertThat(read.issuer()).isNull();
    }

    @Attack("a signed submission is used for another user or another job")
    @Test
    void a_signature_is_valid_only_for_its_user_and_its_job() {
        final Veto owner =
                veto(signature.check(signed(), Authorization.Kind.SUBMISSION, UserName.of("root"), JOB, NOW));
        assertThat(owner.code()).isEqualTo(VetoCode.SIGNATURE_OWNER.code());
        assertThat(owner.reason()).contains("'anna'").contains("'root'");
        assertThat(veto(signature.check(
                                signed(),
                                Authorization.Kind.SUBMISSION,
                                ANNA,
                                GlobalJobId.of("01JQZ8Y6T0000000000000000B"),
                                NOW))
                        .code())
                .isEqualTo(VetoCode.SIGNATURE_JOB.code());
    }

    @Attack("the signature of a dry run or of a request to read a file is used to run a job, and vice versa")
    @Test
    void one_kind_never_passes_as_another() {
        final FileRequest read = signer.sign(new FileRequest(
                "id",
                ORIGIN.cluster(),
                ANNA,
                JOB,
                ORIGIN.directory(),
                "results",
                null,
                10,
                null,
                ANNA,
                NOW.plusSeconds(9),
                ""));
        final Map<Authorization.Kind, String> all = Map.of(
                Authorization.Kind.SUBMISSION,
                signed(),
                Authorization.Kind.DRY_RUN,
                signer.dryRun(ORIGIN, SPEC, NOW.plusSeconds(9)),
                Authorization.Kind.FILE_READ,
                read.signature());
        all.forEach((kind, value) -> {
            for (final Authorization.Kind other : Authorization.Kind.values()) {
                final Checked checked = signature.check(value, other, ANNA, JOB, NOW);
                if (kind == other) {
                    assertThat(checked).isInstanceOf(Checked.Valid.class);
                } else {
                    assertThat(veto(checked).code()).isEqualTo(VetoCode.SIGNATURE_KIND.code());
                }
            }
        });
        assertThat(signature.verify(read, NOW)).isEmpty();
        assertThat(signature.verify(read, NOW.plusSeconds(9)).orElseThrow().code())
                .isEqualTo(VetoCode.SIGNATURE_EXPIRED.code());
        assertThat(signature.verify(read.signed(signed()), NOW)).isPresent();
    }

    @Attack("every bit of the text and of the signature is changed, one by one")
    @Test
    void no_changed_signature_is_valid() {
        final String value = signed();
        final int dot = value.indexOf('.');
        final byte[] text = Base64.getUrlDecoder().decode(value.substring(0, dot));
        final byte[] by = Base64.getUrlDecoder().decode(value.substring(dot + 1));
        final Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
        for (int bit = 0; bit < text.length * 8; bit += 5) {
            final byte[] changed = text.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            invalid(base64.encodeToString(changed) + value.substring(dot));
        }
        for (int bit = 0; bit < by.length * 8; bit++) {
            final byte[] changed = by.clone();
            changed[bit / 8] ^= (byte) (1 << bit % 8);
            invalid(value.substring(0, dot + 1) + base64.encodeToString(changed));
        }
        invalid(value.substring(0, dot + 1));
        final String longer = new String(text, StandardCharsets.UTF_8) + "until 99999999999\n";
        invalid(base64.encodeToString(longer.getBytes(StandardCharsets.UTF_8)) + value.substring(dot));
    }

    @Attack("a key that nobody published signs a submission")
    @Test
    void only_published_keys_sign() {
        assertThat(veto(check(signed(new TestSigner("first")))).code()).isEqualTo(VetoCode.SIGNATURE_INVALID.code());
        assertThat(veto(check(signed(new TestSigner("stranger")))).reason())
                .contains("'stranger'")
                .contains(file.toString());
    }

    @Attack("the algorithm is chosen by the signature: a JWS with the algorithm none or ES256")
    @Test
    void a_jws_is_no_signature() throws Exception {
        final SignedJWT jwt = new SignedJWT(
                new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("first").build(),
                new JWTClaimsSet.Builder()
                        .subject("anna")
                        .claim("job", JOB.value())
                        .build());
        jwt.sign(new ECDSASigner(signer.key));
        assertThat(veto(check(jwt.serialize())).code()).isEqualTo(VetoCode.SIGNATURE_UNREADABLE.code());
        for (final String rubbish :
                new String[] {null, "", ".", "..", "a.b", "{}", "\0", "é.é.é", "x".repeat(100_000)}) {
            assertThat(veto(check(rubbish)).code()).isEqualTo(VetoCode.SIGNATURE_UNREADABLE.code());
        }
    }

    @Test
    void a_key_added_later_needs_no_restart() throws Exception {
        final TestSigner second = new TestSigner("second");
        assertThat(veto(check(signed(second))).code()).isEqualTo(VetoCode.SIGNATURE_KEY_UNKNOWN.code());

        TestSigner.publish(file, signer, second);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().plusSeconds(1)));

        valid(signed(second));
    }

    @Test
    void keys_are_read_from_pem_blocks_by_their_thumbprint() throws Exception {
        final TestSigner second = new TestSigner("second");
        final StringBuilder pem = new StringBuilder();
        for (final TestSigner one : List.of(signer, second)) {
            pem.append("-----BEGIN PUBLIC KEY-----\n")
                    .append(Base64.getMimeEncoder()
                            .encodeToString(one.key.toECPublicKey().getEncoded()))
                    .append("\n-----END PUBLIC KEY-----\n");
        }
        Files.writeString(file, pem);
        final Authorization text = Authorization.submission(
                second.key.computeThumbprint().toString(), ORIGIN, SPEC, NOW.plusSeconds(1), NOW.plusSeconds(1));
        valid(second.sign(text));
    }

    @Attack("the key file is empty, holds another kind of key, an expired one, or can be replaced by a group")
    @Test
    void a_bad_key_file_is_refused() throws Exception {
        final String good = Files.readString(file);
        final RSAKey rsa = new RSAKeyGenerator(2048).keyID("first").generate();
        for (final String bad : List.of(
                "",
                "{}",
                "{\"keys\":[]}",
                "{\"keys\":[" + rsa.toPublicJWK() + "]}",
                "{\"keys\":[{\"kty\":\"oct\",\"kid\":\"first\",\"k\":\"\"}]}",
                good.replace("\"kid\"", "\"exp\":1700000000,\"kid\""),
                "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n")) {
            Files.writeString(file, bad);
            unreadable(bad);
        }
        Files.writeString(file, good);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));
        unreadable("file of a group");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxr-x"));
        unreadable("folder of a group");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.delete(file);
        unreadable("no file");
    }

    /** The veto is temporary: the key file can be put right. */
    private void unreadable(final String what) {
        final Veto veto =
                veto(new SubmissionSignature(file).check(signed(), Authorization.Kind.SUBMISSION, ANNA, JOB, NOW));
        assertThat(veto.code()).as(what).isEqualTo(VetoCode.SIGNATURE_KEYS_UNREADABLE.code());
        assertThat(veto.permanent()).isFalse();
        assertThat(veto.reason()).contains(file.toString());
    }

    private Checked check(final String value) {
        return signature.check(value, Authorization.Kind.SUBMISSION, ANNA, JOB, NOW);
    }

    private Authorization valid(final String value) {
        final Checked checked = check(value);
        assertThat(checked).isInstanceOf(Checked.Valid.class);
        return ((Checked.Valid) checked).authorization();
    }

    private void invalid(final String value) {
        assertThat(check(value)).isInstanceOf(Checked.Invalid.class);
    }

    private static Veto veto(final Checked checked) {
        assertThat(checked).isInstanceOf(Checked.Invalid.class);
        return ((Checked.Invalid) checked).veto();
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
}
