package io.millrace.submit.identity;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.millrace.model.ClusterId;
import io.millrace.sitefiles.YamlFile;
import io.millrace.submit.domain.identity.IssuerRule;
import io.millrace.submit.domain.identity.IssuerRules;
import io.millrace.submit.domain.identity.NamePattern;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the file of issuers:
 *
 * <pre>
 *   issuers:
 *     alpha:                     # the login on cluster alpha, whose key is alpha.pub.json
 *       operators: true          # may vouch for operators; default false
 *       sources: [alpha, beta]   # clusters with directories of jobs; default: the issuer's own
 *     beta:
 *       users: [anna, "cl_*"]    # names and patterns; default: all users
 *       groups: [climate]        # members of these Unix groups as well
 *       except: [olga]
 *   others: {}                 # the rule of other clusters with a trusted key; without it, they are not accepted
 * </pre>
 */
final class IssuersFile {

    private IssuersFile() {}

    /**
     * @param name what messages call the file
     * @throws IllegalArgumentException if the text has an error; names line and column
     */
    static IssuerRules read(final String name, final String text) {
        return YamlFile.parse(name, text, Content.class, Content::rules);
    }

    private record Content(
            @Nullable Map<ClusterId, @Nullable Section> issuers,
            @Nullable Section others) {

        private IssuerRules rules() {
            final Map<ClusterId, IssuerRule> rules = new TreeMap<>();
            YamlFile.required(issuers, "issuers")
                    .forEach((issuer, section) -> rules.put(issuer, Section.rule(section)));
            return new IssuerRules(rules, others == null ? null : Section.rule(others));
        }
    }

    private record Section(
            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<NamePattern> users,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<String> groups,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<NamePattern> except,

            @Nullable Boolean operators,

            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable
            List<NamePattern> sources) {

        private static final Section EMPTY = new Section(null, null, null, null, null);

        private static IssuerRule rule(final @Nullable Section given) {
            final Section section = Objects.requireNonNullElse(given, EMPTY);
            return new IssuerRule(
                    orEmpty(section.users),
                    orEmpty(section.groups),
                    orEmpty(section.except),
                    Boolean.TRUE.equals(section.operators),
                    section.sources);
        }

        private static <T> List<T> orEmpty(final @Nullable List<T> list) {
            return Objects.requireNonNullElse(list, List.of());
        }
    }
}
