package io.millrace.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An absolute path that a script names.
 *
 * @param line of the script, from 1
 */
public record PathReference(int line, String path) {

    /** More than these are not looked for. */
    static final int MOST = 100;

    /** At the beginning of a word; what a variable, a wild card or a quote follows is cut at the last slash before it. */
    private static final Pattern PATH = Pattern.compile(
            "(?<=^|[\\s\"'=:(<>|;&`,!])(/[\\p{L}\\p{N}._+~@%-][\\p{L}\\p{N}._+~@%/-]*)([$*?\\[{`\\\\])?");

    /** Paths that are there everywhere, or come and go with the job. */
    private static final Pattern EVERYWHERE = Pattern.compile("/(?:dev|proc|sys|tmp|var/tmp|etc/profile.*)(?:/.*)?");

    /** The folder it lies in. */
    public String parent() {
        final int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    /** Those of the commands and of the first line; comments are left out. Each path once, where it stands first. */
    public static List<PathReference> find(final String script) {
        final List<PathReference> paths = new ArrayList<>();
        final Set<String> seen = new TreeSet<>();
        final String[] lines = script.split("\n", -1);
        for (int i = 0; i < lines.length && paths.size() < MOST; i++) {
            final String line = lines[i].strip();
            if (line.startsWith("#") && !(i == 0 && line.startsWith("#!"))) {
                continue;
            }
            final Matcher m = PATH.matcher(line);
            while (m.find() && paths.size() < MOST) {
                final String path = literal(m.group(1), m.group(2) != null);
                if (path.length() > 1 && !EVERYWHERE.matcher(path).matches() && seen.add(path)) {
                    paths.add(new PathReference(i + 1, path));
                }
            }
        }
        return paths;
    }

    private static String literal(final String path, final boolean goesOn) {
        final String whole = goesOn ? path.substring(0, path.lastIndexOf('/') + 1) : path;
        return whole.replaceAll("/+", "/").replaceAll("/$", "");
    }
}
