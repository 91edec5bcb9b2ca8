package io.millrace.submit.tools;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.millrace.model.ClusterId;
import io.millrace.sitefiles.InvalidEntryException;
import io.millrace.sitefiles.YamlFile;
import io.millrace.submit.domain.identity.IssuerRule;
import io.millrace.submit.domain.identity.NamePattern;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of tools:
 *
 * <pre>
 *   tools:
 *     workflows:
 *       key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…  # public key, P-256: the lines between BEGIN and END of a PEM file
 *       users: [anna, "cl_*"]                       # for whom it may submit
 *       groups: [climate]                           # members of these Unix groups as well
 *       sources: [alpha]                            # clusters with the directories of the jobs
 * </pre>
 */
final class ToolsFile {

    private ToolsFile() {}

    /**
     * @param name what messages call the file
     * @throws IllegalArgumentException if the text has an error; names line and column
     */
    static Map<String, Tool> read(final String name, final String text) {
        return YamlFile.parse(name, text, Content.class, Content::all);
    }

    private record Content(@Nullable Map<ClusterId, @Nullable Section> tools) {

        private Map<String, Tool> all() {
            final Map<String, Tool> all = new TreeMap<>();
            YamlFile.required(tools, "tools")
                    .forEach((name, section) -> all.put(
                            name.value(),
                            YamlFile.entry(
                                    () -> YamlFile.required(section, name.value())
                                            .tool(name.value()),
                                    "tools",
                                    name.value())));
            return Map.copyOf(all);
        }
    }

    private record Section(
            @Nullable String key,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<NamePattern> users,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<String> groups,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<NamePattern> sources) {

        private Tool tool(final String name) {
            if (users == null && groups == null) {
                throw new InvalidEntryException("'users' and 'groups' are missing: add for whom the tool may submit");
            }
            return new Tool(
                    name,
                    publicKey(YamlFile.required(key, "key")),
                    new IssuerRule(
                            Objects.requireNonNullElse(users, List.of()),
                            Objects.requireNonNullElse(groups, List.of()),
                            List.of(),
                            false,
                            YamlFile.required(sources, "sources")));
        }

        private static ECPublicKey publicKey(final String base64) {
            try {
                final byte[] encoded = Base64.getDecoder().decode(base64.replaceAll("\\s", ""));
                if (KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(encoded))
                                instanceof ECPublicKey key
                        && key.getParams().getCurve().getField().getFieldSize() == 256) {
                    return key;
                }
            } catch (GeneralSecurityException | IllegalArgumentException e) {
                throw invalidKey(e);
            }
            throw invalidKey(null);
        }

        private static InvalidEntryException invalidKey(final @Nullable Exception cause) {
            final InvalidEntryException invalid = new InvalidEntryException(
                    "'key' is not a public key on the curve P-256: copy the lines between BEGIN PUBLIC KEY and END PUBLIC"
                            + " KEY of its PEM file",
                    "key");
            if (cause != null) {
                invalid.initCause(cause);
            }
            return invalid;
        }
    }
}
