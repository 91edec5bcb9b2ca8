package io.millrace.model.authorization;

import io.millrace.model.job.ScriptText;
import io.millrace.model.transfer.FilterRule;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** SHA-256 in lower-case hexadecimal of the parts of a submission. */
final class SignedDigest {

    private SignedDigest() {}

    /** Of the bytes of a script, which need not be UTF-8. */
    static String ofScript(final String script) {
        return HexFormat.of().formatHex(sha256().digest(ScriptText.bytes(script)));
    }

    /** Of the UTF-8 bytes of each text and one zero byte. A text with a zero byte is refused, so none can be split or joined. */
    static String ofTexts(final Collection<String> texts) {
        final MessageDigest sha = sha256();
        for (final String text : texts) {
            if (text.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("a text that is signed contains a zero byte");
            }
            sha.update(text.getBytes(StandardCharsets.UTF_8));
            sha.update((byte) 0);
        }
        return HexFormat.of().formatHex(sha.digest());
    }

    static String of(final List<FilterRule> rules) {
        return ofTexts(rules.stream().map(FilterRule::value).toList());
    }

    /** Of {@code NAME=value}, in the order of the names. */
    static String of(final Map<String, String> variables) {
        return ofTexts(new TreeMap<>(variables)
                .entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (final NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
