package io.millrace.submit;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.Map;

/** A site with one operator and one trusted login endpoint, whose private key is next to the folder of trusted keys. */
public final class TestSite implements QuarkusTestResourceLifecycleManager {

    static final String OPERATOR = "olga";
    static final String TOOL = "workflows";

    @Override
    public Map<String, String> start() {
        try {
            final Path folder = Files.createTempDirectory("millrace-submit");
            final Path trusted = Files.createDirectory(folder.resolve("trusted"));
            final Path joining = Files.createDirectory(folder.resolve("joining"));
            Files.createDirectory(joining.resolve("requests"));
            Files.createDirectory(joining.resolve("answers"));
            final ECKey key =
                    new ECKeyGenerator(Curve.P_256).keyIDFromThumbprint(true).generate();
            final ECKey other =
                    new ECKeyGenerator(Curve.P_256).keyIDFromThumbprint(true).generate();
            Files.writeString(folder.resolve("alpha.json"), key.toJSONString());
            Files.writeString(
                    trusted.resolve("alpha.pub.json"), key.toPublicJWK().toJSONString());
            final Path issuers = Files.writeString(folder.resolve("issuers.yaml"), """
                issuers:
                  alpha:
                    users: [root, "*"]
                    except: [stranger-of-alpha]
                    operators: true
                    sources: ["*"]
                  beta:
                  delta:
                  gamma:
                """);
            final KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            final KeyPair tool = generator.generateKeyPair();
            Files.writeString(
                    folder.resolve("tool.pem"),
                    "-----BEGIN PRIVATE KEY-----\n"
                            + Base64.getMimeEncoder()
                                    .encodeToString(tool.getPrivate().getEncoded())
                            + "\n-----END PRIVATE KEY-----\n");
            final Path tools = Files.writeString(folder.resolve("tools.yaml"), """
                tools:
                  %s:
                    key: %s
                    users: wf_*
                    sources: alpha
                """.formatted(
                    TOOL, Base64.getEncoder().encodeToString(tool.getPublic().getEncoded())));
            final Path projects = Files.writeString(folder.resolve("projects.yaml"), """
                projects:
                  secretproj:
                    users: boss-of-secretproj
                """);
            Files.writeString(folder.resolve("beta.json"), other.toJSONString());
            Files.writeString(
                    trusted.resolve("beta.pub.json"), other.toPublicJWK().toJSONString());
            final Path secret = Files.writeString(folder.resolve("secret"), "whsec_" + "A".repeat(32));
            final Path handlers = Files.writeString(folder.resolve("handlers.yaml"), """
                handlers:
                  pager:
                    webhook: https://127.0.0.1:1/in?key=hidden
                    secret-file: %s
                    events: [millrace.job.submitted.v1]
                    users: [nobody-there]
                """.formatted(secret));
            return Map.ofEntries(
                    Map.entry("millrace.submit.handlers-file", handlers.toString()),
                    Map.entry("millrace.submit.issuers-file", issuers.toString()),
                    Map.entry("millrace.submit.tools-file", tools.toString()),
                    Map.entry("millrace.submit.projects-file", projects.toString()),
                    Map.entry("millrace.submit.unlisted-projects", "all"),
                    Map.entry("millrace.submit.key-dir", folder.resolve("keys").toString()),
                    Map.entry("millrace.submit.trusted-keys-dir", trusted.toString()),
                    Map.entry("millrace.submit.join-dir", joining.toString()),
                    Map.entry("millrace.submit.trusted-keys-interval", "0s"),
                    Map.entry("millrace.submit.zone", "Europe/Berlin"),
                    Map.entry("millrace.submit.operators", OPERATOR),
                    Map.entry(
                            "millrace.submit.projection-timeout",
                            "5m"), // a test that names an offset waits for it, on a busy machine too
                    Map.entry("millrace.submit.alter-timeout", "5m"), // the test answers in the place of the agent
                    Map.entry("millrace.kafka.partitions", "3"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (JOSEException | GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void stop() {}
}
