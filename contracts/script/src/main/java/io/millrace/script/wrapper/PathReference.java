package io.millrace.script.wrapper;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An absolute path in a script.
 *
 * @param line line of the script, starting at 1
 */
public record PathReference(int line, String path) {

    /** Maximum number of paths to check. */
    static final int LIMIT = 100;

    /** A path at the start of a word. A path followed by a variable, wildcard or quote is cut at its last slash. */
    private static final Pattern PATH = Pattern.compile(
            "(?<=^|[\\s\"'=:(<>|;&`,!])(/[\\p{L}\\p{N}._+~@%-][\\p{L}\\p{N}._+~@%/-]*)([$*?\\[{`\\\\])?");

    /** Paths that exist on every node, or only while the job runs. */
    private static final Pattern EVERYWHERE = Pattern.compile("/(?:dev|proc|sys|tmp|var/tmp|etc/profile.*)(?:/.*)?");

    /** The parent directory. */
    public String parent() {
        final int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    /** The paths in commands and in the first line, without comments. Each path once, at its first occurrence. */
    public static List<PathReference> find(final String script) {
        final List<PathReference> paths = new ArrayList<>();
        final Set<String> seen = new TreeSet<>();
        final String[] lines = script.split("\n", -1);
        for (int i = 0; i < lines.length && paths.size() < LIMIT; i++) {
            final String line = lines[i].strip();
            if (line.startsWith("#") && !(i == 0 && line.startsWith("#!"))) {
                continue;
            }
            final Matcher m = PATH.matcher(line);
            while (m.find() && paths.size() < LIMIT) {
                final String path = literal(m.group(1), m.group(2) != null);
                if (path.length() > 1 && !EVERYWHERE.matcher(path).matches() && seen.add(path)) {
                    paths.add(new PathReference(i + 1, path));
                }
            }
        }
        return paths;
    }

    private static String literal(final String path, final boolean continued) {
        final String whole = continued ? path.substring(0, path.lastIndexOf('/') + 1) : path;
        return whole.replaceAll("/+", "/").replaceAll("/$", "");
    }
}
