package io.millrace.cli.api;

import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * The settings of the commands: from the environment, otherwise from {@code ~/.config/millrace/config} (lines {@code key=value}),
 * otherwise from {@code /etc/millrace/config}, which applies to all users of a host.
 *
 * <table>
 * <tr><td>MILLRACE_API</td><td>api</td><td>base URL of the REST API, e.g. http://millrace.example:7070</td></tr>
 * <tr><td>MILLRACE_AUTHORITY_FILE</td><td>authority-file</td><td>PEM certificates of the only accepted authorities of an https URL; default:
 * those of the JVM</td></tr>
 * <tr><td>MILLRACE_CLUSTER</td><td>cluster</td><td>the cluster of this login node</td></tr>
 * <tr><td>MILLRACE_LOGIN_SOCKET</td><td>login-socket</td><td>login socket of the agent on this login node</td></tr>
 * <tr><td>MILLRACE_TOKEN_FILE</td><td>token-file</td><td>default ~/.config/millrace/token</td></tr>
 * </table>
 */
public final class Settings {

    private static final String PREFIX = "MILLRACE_";

    private static final Path ALL_USERS = Path.of("/etc/millrace/config");

    private final Map<String, String> environment;
    private final Properties file;
    private final Path folder;

    private Settings(final Map<String, String> environment, final Path folder, final Properties file) {
        this.environment = environment;
        this.folder = folder;
        this.file = file;
    }

    public static Settings read(final Map<String, String> environment) throws CommandException {
        final Path home = Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")));
        final Path folder = home.resolve(".config/millrace");
        final Properties lines = new Properties();
        load(lines, ALL_USERS);
        load(lines, folder.resolve("config"));
        return new Settings(environment, folder, lines);
    }

    private static void load(final Properties lines, final Path file) throws CommandException {
        try {
            // Properties treats backslashes as escapes, which is wrong for paths and URLs.
            lines.load(new StringReader(Files.readString(file).replace("\\", "\\\\")));
        } catch (NoSuchFileException e) {
            // none
        } catch (IOException e) {
            throw new CommandException(ExitCode.USAGE, "cannot read '" + file + "': " + e.getMessage());
        }
    }

    URI api() throws CommandException {
        final String text = need("api", "the URL of the service, e.g. http://millrace.example:7070");
        try {
            final URI api = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
            if (api.getHost() != null && ("http".equals(api.getScheme()) || "https".equals(api.getScheme()))) {
                return api;
            }
        } catch (URISyntaxException e) {
            throw new CommandException(ExitCode.USAGE, "'" + text + "' is not a valid service URL: " + e.getMessage());
        }
        throw new CommandException(ExitCode.USAGE, "'" + text + "' is not a valid service URL; use http://HOST:PORT");
    }

    Optional<Path> authorityFile() {
        return value("authority-file").map(Path::of);
    }

    public String cluster() throws CommandException {
        return need("cluster", "the cluster of this login node");
    }

    Optional<Path> loginSocket() {
        return value("login-socket").map(Path::of);
    }

    public Path tokenFile() {
        return value("token-file").map(Path::of).orElse(folder.resolve("token"));
    }

    private String need(final String key, final String what) throws CommandException {
        return value(key)
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE,
                        "missing setting: " + what + "; set " + name(key) + ", or " + key + "= in "
                                + folder.resolve("config")));
    }

    private Optional<String> value(final String key) {
        final String fromEnvironment = environment.get(name(key));
        final String value = fromEnvironment != null ? fromEnvironment : file.getProperty(key);
        return Optional.ofNullable(value).map(String::strip).filter(text -> !text.isEmpty());
    }

    private static String name(final String key) {
        return PREFIX + key.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
