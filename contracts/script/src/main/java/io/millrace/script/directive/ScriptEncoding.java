package io.millrace.script.directive;

import io.millrace.model.job.ScriptText;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Scripts that a shell would misread: with Windows or old Macintosh line breaks, a byte order mark, or in UTF-16. */
public final class ScriptEncoding {

    /** A line that ends with a carriage return. */
    private static final Pattern WINDOWS_LINE = Pattern.compile("(?m)^([^\\n]*)\\r$", Pattern.UNIX_LINES);

    private static final String UTF_16_LITTLE = ScriptText.of(new byte[] {(byte) 0xFF, (byte) 0xFE});
    private static final String UTF_16_BIG = ScriptText.of(new byte[] {(byte) 0xFE, (byte) 0xFF});

    private ScriptEncoding() {}

    /** The first such line. Other encodings than UTF-8 are no fault, see {@link ScriptText}. */
    public static Optional<InvalidDirective> fault(final String script) {
        if (script.startsWith(UTF_16_LITTLE) || script.startsWith(UTF_16_BIG)) {
            return Optional.of(new InvalidDirective(
                    1,
                    "byte order mark of UTF-16",
                    "no shell reads it; convert the script with iconv -f UTF-16 -t UTF-8"));
        }
        if (script.startsWith("\uFEFF")) {
            return Optional.of(new InvalidDirective(
                    1,
                    "byte order mark (BOM) before '" + firstLine(script.substring(1)) + "'",
                    "the kernel does not find the interpreter; save the script as UTF-8 without BOM, or remove it with"
                            + " sed -i '1s/^\\xEF\\xBB\\xBF//'"));
        }
        if (firstLine(script).replaceFirst("\r$", "").indexOf('\r') >= 0) {
            return Optional.of(new InvalidDirective(
                    1,
                    "carriage return without a line feed",
                    "no shell reads these line endings (of old Macintosh computers); convert the script with"
                            + " mac2unix"));
        }
        return windowsLine(script);
    }

    private static Optional<InvalidDirective> windowsLine(final String script) {
        final Matcher windows = WINDOWS_LINE.matcher(script);
        if (!windows.find()) {
            return Optional.empty();
        }
        final long before = script.substring(0, windows.start())
                .chars()
                .filter(c -> c == '\n')
                .count();
        return Optional.of(new InvalidDirective(
                (int) before + 1,
                "'" + windows.group(1).replace('\r', ' ') + "'",
                "has a Windows line ending (CR LF); convert the script with dos2unix"));
    }

    private static String firstLine(final String script) {
        final int end = script.indexOf('\n');
        return end < 0 ? script : script.substring(0, end);
    }
}
