package io.millrace.cli;

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

/** The token on disk, readable by its owner alone; fetched anew by itself where a login socket is configured. */
final class StoredToken {

    /** A token that ends within this is as good as ended. */
    private static final Duration MARGIN = Duration.ofSeconds(30);

    private final Settings settings;

    StoredToken(final Settings settings) {
        this.settings = settings;
    }

    /** A token that is good now, as far as can be told from here. */
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
                (stored == null ? "there is no token in '" + file + "'" : "the token in '" + file + "' has expired")
                        + ": run mglogin on a login node, or set MILLRACE_LOGIN_SOCKET");
    }

    boolean canBeRenewed() {
        return settings.loginSocket().isPresent();
    }

    /**
     * Fetches a token and stores it.
     *
     * @param user whose; null for one's own. The agent decides who may have another's
     */
    String renewed(final @Nullable String user) throws CommandException {
        final Path socket = settings.loginSocket()
                .orElseThrow(
                        () -> new CommandException(
                                ExitCode.USAGE,
                                "set MILLRACE_LOGIN_SOCKET (or login-socket= in the config file) to the login socket of this node's agent"));
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

    static @Nullable String claim(final String token, final String claim) {
        final JsonNode claims = claims(token);
        return claims == null ? null : claims.path(claim).textValue();
    }

    /** Not verified: the service does that. */
    private static @Nullable JsonNode claims(final String token) {
        final String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return null;
        }
        try {
            return Json.read(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException | IOException e) {
            return null; // no token of ours: as good as none
        }
    }

    private static @Nullable String stored(final Path file) throws CommandException {
        try {
            return Files.readString(file).strip();
        } catch (NoSuchFileException e) {
            return null;
        } catch (IOException e) {
            throw new CommandException(ExitCode.NOT_AUTHORISED, "the token in '" + file + "' cannot be read: " + e.getMessage());
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
            throw new CommandException(ExitCode.FAILED, "the token cannot be stored in '" + file + "': " + e.getMessage());
        }
    }
}
