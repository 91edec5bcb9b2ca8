package io.millrace.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.UnsupportedCallbackException;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.scram.ScramCredential;
import org.apache.kafka.common.security.scram.ScramCredentialCallback;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;
import org.apache.kafka.common.security.scram.internals.ScramMechanism;
import org.jspecify.annotations.Nullable;

/**
 * The broker's side of the SCRAM login. It knows the account of its own JAAS configuration, and those with a file of client properties in a
 * folder ({@link #FOLDER}), named after the account. A file that is added, changed or removed is in force at the next login, so a
 * new cluster needs no restart of the broker. Kafka creates the object.
 */
public final class AccountFiles implements AuthenticateCallbackHandler {

    /** The option of the JAAS configuration with the folder; without it only the own account is known. */
    static final String FOLDER = "accounts";

    /** Accounts that can have a file: no separators of paths. */
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");

    private record Known(FileTime changed, @Nullable ScramCredential credential) {}

    private final Map<String, Known> known = new HashMap<>();
    private String ownName = "";
    private @Nullable ScramCredential own;
    private @Nullable Path folder;
    private ScramMechanism scram = ScramMechanism.SCRAM_SHA_512;

    @Override
    public void configure(Map<String, ?> settings, String mechanism, List<AppConfigurationEntry> entries) {
        Map<String, ?> account = entries.getFirst().getOptions();
        scram = ScramMechanism.forMechanismName(mechanism);
        ownName = String.valueOf(account.get("username"));
        own = credential(String.valueOf(account.get("password")));
        Object accounts = account.get(FOLDER);
        folder = accounts == null ? null : Path.of(accounts.toString());
    }

    private ScramCredential credential(String password) {
        try {
            return new ScramFormatter(scram).generateCredential(password, scram.minIterations());
        } catch (NoSuchAlgorithmException unusable) {
            throw new KafkaException("cannot use a password for " + scram.mechanismName(), unusable);
        }
    }

    /** An account without a credential is refused by Kafka. */
    @Override
    public void handle(Callback[] callbacks) throws IOException, UnsupportedCallbackException {
        String who = "";
        for (Callback callback : callbacks) {
            switch (callback) {
                case NameCallback asked -> who = asked.getDefaultName();
                case ScramCredentialCallback asked -> asked.scramCredential(find(who));
                default -> throw new UnsupportedCallbackException(callback);
            }
        }
    }

    private @Nullable ScramCredential find(String account) throws IOException {
        if (account.equals(ownName)) {
            return own;
        }
        if (folder == null || !NAME.matcher(account).matches()) {
            return null;
        }
        Path file = folder.resolve(account + ".properties");
        try {
            FileTime changed = Files.getLastModifiedTime(file);
            Known before = known.get(account);
            if (before == null || !before.changed().equals(changed)) {
                before = new Known(
                        changed,
                        BrokerLogin.passwordOf(file, account)
                                .map(this::credential)
                                .orElse(null));
                known.put(account, before);
            }
            return before.credential();
        } catch (NoSuchFileException absent) {
            known.remove(account);
            return null;
        }
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
