package io.millrace.submit.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.policy.UserLock;
import io.millrace.submit.TestTokens;
import io.millrace.submit.config.SubmitSettings;
import io.millrace.submit.domain.Caller;
import io.millrace.submit.domain.RequestRefused;
import io.millrace.testing.Attack;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** S-1: a login key speaks for the users, clusters and roles that the site gave its issuer. */
class IssuersTest {

    private static final ClusterId ALPHA = ClusterId.of("alpha");
    private static final ClusterId BETA = ClusterId.of("beta");

    @TempDir
    private Path folder;

    private ECKey alpha;
    private ECKey beta;
    private Issuers issuers;
    private LoginTokenVerifier tokens;
    private final Locks locks = new Locks();
    private long changes;

    /** Locks without a log. */
    private static final class Locks implements UserLocks {

        private final Map<UserName, UserLock> changes = new HashMap<>();
        private boolean known = true;

        @Override
        public Optional<UserLock> lastChange(final UserName user) {
            return Optional.ofNullable(changes.get(user));
        }

        @Override
        public List<UserLock> locked() {
            return List.copyOf(changes.values());
        }

        @Override
        public boolean areKnown() {
            return known;
        }
    }

    @BeforeEach
    void trustTwoClusters() throws IOException, JOSEException {
        alpha = trusted("alpha");
        beta = trusted("beta");
        open(config());
    }

    private ECKey trusted(final String cluster) throws IOException, JOSEException {
        final ECKey key =
                new ECKeyGenerator(Curve.P_256).keyIDFromThumbprint(true).generate();
        Files.writeString(
                folder.resolve(cluster + ".pub.json"), key.toPublicJWK().toJSONString());
        return key;
    }

    private void open(final SmallRyeConfigBuilder given) {
        final SubmitSettings settings = given.withDefaultValue("millrace.submit.trusted-keys-dir", folder.toString())
                .withDefaultValue("millrace.submit.trusted-keys-interval", "0s")
                .withDefaultValue("millrace.submit.operators", "olga")
                .withMapping(SubmitSettings.class)
                .withMappingIgnore("millrace.**")
                .build()
                .getConfigMapping(SubmitSettings.class);
        final Clock clock = Clock.systemUTC();
        issuers = new Issuers(settings, new DirectoryGroups(clock));
        tokens = new LoginTokenVerifier(new TrustedKeys(settings), issuers, locks, settings, clock);
    }

    private static SmallRyeConfigBuilder config() {
        return new SmallRyeConfigBuilder().addDiscoveredConverters();
    }

    private Path rules(final String text) throws IOException {
        final Path file = Files.writeString(folder.resolve("issuers.yaml"), text);
        Files.setLastModifiedTime(file, FileTime.from(Instant.ofEpochSecond(1_700_000_000 + changes++)));
        return file;
    }

    private void openWith(final String text) throws IOException {
        open(config().withDefaultValue(
                        "millrace.submit.issuers-file", rules(text).toString()));
    }

    private static String token(final ECKey key, final ClusterId issuer, final String user) {
        return TestTokens.signed(
                key, TestTokens.claims(user).issuer("agent/" + issuer).build());
    }

    private Caller caller(final ECKey key, final ClusterId issuer, final String user) {
        return tokens.verify(token(key, issuer, user)).caller();
    }

    @Test
    @Attack("the key of one cluster signs a token for an operator")
    void without_rules_no_key_vouches_for_an_operator() {
        assertThat(caller(alpha, ALPHA, "olga").operator()).isFalse();
        assertThatThrownBy(() -> caller(alpha, ALPHA, "olga").requireOperator("changing a quota"))
                .hasMessageContaining("'olga' does not have with a login on 'alpha'");
    }

    @Test
    @Attack("the key of one cluster is published under the id of another cluster's key, which it would displace")
    void a_key_under_the_id_of_another_one_displaces_nothing() throws IOException {
        for (final String name : List.of("aaa", "beta", "zzz")) {
            Files.writeString(
                    folder.resolve(name + ".pub.json"),
                    new ECKey.Builder(beta.toPublicJWK())
                            .keyID(alpha.getKeyID())
                            .build()
                            .toJSONString());
        }
        assertThat(caller(alpha, ALPHA, "anna").user()).isEqualTo(UserName.of("anna"));
        assertThatThrownBy(() -> caller(beta, BETA, "anna")).isInstanceOf(RequestRefused.class);
    }

    @Test
    @Attack("a user replaces a public key that submit-service trusts")
    void a_key_file_that_all_users_can_change_is_not_trusted() throws IOException {
        Files.setPosixFilePermissions(folder.resolve("alpha.pub.json"), PosixFilePermissions.fromString("rw-r--rw-"));
        assertThatThrownBy(() -> caller(alpha, ALPHA, "anna")).isInstanceOf(RequestRefused.class);
        assertThat(caller(beta, BETA, "anna").user()).isEqualTo(UserName.of("anna"));
    }

    @Test
    void an_issuer_that_may_vouches_for_operators() throws IOException {
        openWith("issuers:\n  alpha:\n    operators: true\n  beta:\n");
        assertThat(caller(alpha, ALPHA, "olga").operator()).isTrue();
        assertThat(caller(alpha, ALPHA, "anna").operator()).isFalse();
        assertThat(caller(beta, BETA, "olga").operator()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"root", "nobody", "www-data", "munge", "_apt", "systemd-network"})
    @Attack("the key of one cluster signs a token for a system account")
    void no_pattern_covers_a_system_account(final String account) throws IOException {
        assertRefused(alpha, ALPHA, account, "may not vouch for user '" + account + "'");
        openWith("issuers:\n  alpha:\n    users: '*'\n");
        assertRefused(alpha, ALPHA, account, "may not vouch for user '" + account + "'");
        openWith("issuers:\n  alpha:\n    users: ['*', " + account + "]\n");
        assertThatCode(() -> caller(alpha, ALPHA, account)).doesNotThrowAnyException();
    }

    @Test
    @Attack("the key of one cluster signs a token for a user it may not vouch for")
    void a_key_vouches_for_the_users_of_its_issuer() throws IOException {
        openWith("issuers:\n  beta:\n    users: [anna, cl_*]\n    except: cl_9\n");
        assertThat(caller(beta, BETA, "anna").issuer()).isEqualTo(BETA);
        assertThat(caller(beta, BETA, "cl_1").user()).isEqualTo(UserName.of("cl_1"));
        assertRefused(beta, BETA, "ben", "issuer 'beta' may not vouch for user 'ben'");
        assertRefused(beta, BETA, "cl_9", "issuer 'beta' may not vouch for user 'cl_9'");
        assertRefused(beta, BETA, "annab", "issuer 'beta' may not vouch for user 'annab'");
        assertRefused(alpha, ALPHA, "anna", "tokens of issuer 'alpha' are not accepted");
    }

    @Test
    @Attack("the key of one cluster signs a token in the name of another issuer")
    void a_key_belongs_to_one_issuer() {
        assertRefused(alpha, BETA, "anna", "it was not issued by 'agent/alpha'");
    }

    @Test
    void groups_are_those_of_the_host() throws IOException {
        final String me = System.getProperty("user.name");
        final String group =
                String.valueOf(Files.getAttribute(Files.createFile(folder.resolve("mine")), "posix:group"));
        openWith("issuers:\n  alpha:\n    groups: '" + group + "'\n");
        assertThat(issuers.rules().of(ALPHA).orElseThrow().groups()).containsExactly(group);
        assertRefused(alpha, ALPHA, "not-an-account-of-this-host", "may not vouch");
        assertThat(new DirectoryGroups(Clock.systemUTC()).of(UserName.of(me))).contains(group);
    }

    @Test
    @Attack("the key of one cluster starts a job from a directory on another cluster")
    void jobs_start_from_the_cluster_of_the_login() throws IOException {
        final Caller anna = caller(alpha, ALPHA, "anna");
        assertThatCode(() -> issuers.requireSource(anna, ALPHA)).doesNotThrowAnyException();
        assertThatThrownBy(() -> issuers.requireSource(anna, BETA))
                .isInstanceOf(RequestRefused.class)
                .hasMessageContaining("log in on 'beta'");
        openWith("issuers:\n  alpha:\n    sources: [b*]\n");
        assertThatCode(() -> issuers.requireSource(anna, BETA)).doesNotThrowAnyException();
        assertThatThrownBy(() -> issuers.requireSource(anna, ALPHA)).isInstanceOf(RequestRefused.class);
    }

    @Test
    @Attack("a withdrawn key is used while a token is cached")
    void a_key_is_withdrawn_without_a_restart() throws IOException {
        final var before = tokens.verify(token(alpha, ALPHA, "anna"));
        final String cached = token(alpha, ALPHA, "anna");
        tokens.verify(cached);
        assertThat(tokens.isStillAccepted(before)).isTrue();
        Files.delete(folder.resolve("alpha.pub.json"));
        assertThatThrownBy(() -> tokens.verify(cached)).hasMessageContaining("is not trusted");
        assertThat(tokens.isStillAccepted(before)).isFalse();
        assertThatCode(() -> caller(beta, BETA, "anna")).doesNotThrowAnyException();
    }

    @Test
    @Attack("a token of a withdrawn issuer is used while it is cached")
    void an_issuer_or_its_rights_are_withdrawn_without_a_restart() throws IOException {
        openWith("issuers:\n  alpha:\n    operators: true\n");
        final String cached = token(alpha, ALPHA, "olga");
        final var before = tokens.verify(cached);
        assertThat(before.caller().operator()).isTrue();
        rules("issuers:\n  alpha:\n    operators: false\n");
        assertThat(tokens.verify(cached).caller().operator()).isFalse();
        assertThat(tokens.isStillAccepted(before)).isFalse();
        rules("issuers:\n  beta:\n");
        assertThatThrownBy(() -> tokens.verify(cached)).hasMessageContaining("issuer 'alpha' are not accepted");
    }

    @Test
    void a_file_with_an_error_leaves_the_last_valid_rules_in_use() throws IOException {
        openWith("issuers:\n  beta:\n    users: anna\n");
        rules("issuers:\n  beta:\n    users: anna\n    operator: true\n");
        assertThatCode(() -> caller(beta, BETA, "anna")).doesNotThrowAnyException();
        assertRefused(beta, BETA, "ben", "may not vouch");
        assertThat(issuers.problem().orElseThrow()).contains("issuers.yaml, line 4, column 5", "'operator'");
        assertThatThrownBy(() -> openWith("issuers: [alpha]\n"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("line 1");
    }

    @Test
    @Attack("a locked user uses a token that is cached, or a new one")
    void tokens_of_a_locked_user_are_refused_at_once() {
        final String cached = token(alpha, ALPHA, "anna");
        final var before = tokens.verify(cached);
        final UserName anna = UserName.of("anna");
        locks.changes.put(anna, new UserLock(anna, true, UserName.of("olga"), "stolen laptop", Instant.EPOCH));
        for (final String one : List.of(cached, token(beta, BETA, "anna"))) {
            assertThatThrownBy(() -> tokens.verify(one))
                    .isInstanceOfSatisfying(
                            RequestRefused.class,
                            refused -> assertThat(refused.kind()).isEqualTo(RequestRefused.Kind.FORBIDDEN))
                    .hasMessageContaining("user 'anna' is locked (stolen laptop)");
        }
        assertThat(tokens.isStillAccepted(before)).isFalse();
        assertThatCode(() -> caller(alpha, ALPHA, "ben")).doesNotThrowAnyException();
        locks.changes.put(anna, new UserLock(anna, false, UserName.of("olga"), "new laptop", Instant.EPOCH));
        assertThatCode(() -> tokens.verify(cached)).doesNotThrowAnyException();
        locks.known = false;
        assertThatThrownBy(() -> tokens.verify(cached))
                .as("before the locks have been read")
                .isInstanceOfSatisfying(
                        RequestRefused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(RequestRefused.Kind.UNAVAILABLE));
    }

    private void assertRefused(final ECKey key, final ClusterId issuer, final String user, final String reason) {
        assertThatThrownBy(() -> caller(key, issuer, user))
                .isInstanceOfSatisfying(
                        RequestRefused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(RequestRefused.Kind.UNAUTHENTICATED))
                .hasMessageContaining(reason);
    }
}
