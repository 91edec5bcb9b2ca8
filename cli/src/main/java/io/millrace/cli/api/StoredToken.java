package io.millrace.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The token in a file that only its owner can read. Renewed automatically if a login socket is configured. */
public final class StoredToken {

    /** A token that expires within this time counts as expired. */
    private static final Duration MARGIN = Duration.ofSeconds(30);

    private final Settings settings;

    public StoredToken(final Settings settings) {
        this.settings = settings;
    }

    /** Returns a token that has not expired. Does not verify its signature. */
    String current() throws CommandException {
        final Path file = settings.tokenFile();
        final String stored = stored(file);
        if (stored != null && isFresh(stored)) {
            return stored;
        }
        if (settings.loginSocket().isPresent()) {
            return renewed(stored == null ? null : claim(stored, "sub"));
        }
        throw new CommandException(
                ExitCode.NOT_AUTHORISED,
                (stored == null ? "no token in '" + file + "'" : "the token in '" + file + "' has expired")
                        + "; run mglogin on a login node, or set MILLRACE_LOGIN_SOCKET");
    }

    boolean canBeRenewed() {
        return settings.loginSocket().isPresent();
    }

    /**
     * Fetches a token and stores it.
     *
     * @param user owner of the token; null: the caller. The agent decides who may fetch tokens of other users
     */
    public String renewed(final @Nullable String user) throws CommandException {
        final Path socket = settings.loginSocket()
                .orElseThrow(() -> new CommandException(
                        ExitCode.USAGE,
                        "no login socket configured; set MILLRACE_LOGIN_SOCKET, or login-socket= in the config file, to"
                                + " the login socket of the agent on this node"));
        final String token = LoginSocket.token(socket, user);
        store(settings.tokenFile(), token);
        return token;
    }

    static boolean isFresh(final String token) {
        final JsonNode claims = claims(token);
        return claims != null
                && Instant.ofEpochSecond(claims.path("exp").asLong())
                        .isAfter(Instant.now().plus(MARGIN));
    }

    static @Nullable public String claim(final String token, final String claim) {
        final JsonNode claims = claims(token);
        return claims == null ? null : claims.path(claim).textValue();
    }

    /** The claims without verification, which is up to the service; null if the text is not a token. */
    private static @Nullable JsonNode claims(final String token) {
        final String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return null;
        }
        try {
            return Json.read(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | IOException e) {
            return null;
        }
    }

    private static @Nullable String stored(final Path file) throws CommandException {
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new CommandException(
                    ExitCode.NOT_AUTHORISED, "cannot read the token in '" + file + "': " + e.getMessage());
        }
    }

    private static void store(final Path file, final String token) throws CommandException {
        try {
            final Path folder = file.toAbsolutePath().getParent();
            Files.createDirectories(folder);
            final Path fresh = Files.createTempFile(
                    folder,
                    ".token",
                    "",
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(fresh, token + "\n");
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new CommandException(ExitCode.FAILED, "cannot store the token in '" + file + "': " + e.getMessage());
        }
    }
}
