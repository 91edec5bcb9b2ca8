package io.millrace.embedded;

import java.io.IOException;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Map;
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

/** The broker's side of the SCRAM login: it knows the account of its own JAAS configuration and no other. Kafka creates the object. */
public final class OnlyAccount implements AuthenticateCallbackHandler {
    private String name = "";
    private ScramCredential credential = new ScramCredential(new byte[0], new byte[0], new byte[0], 0);

    @Override
    public void configure(Map<String, ?> settings, String mechanism, List<AppConfigurationEntry> entries) {
        Map<String, ?> account = entries.getFirst().getOptions();
        ScramMechanism scram = ScramMechanism.forMechanismName(mechanism);
        try {
            name = String.valueOf(account.get("username"));
            credential = new ScramFormatter(scram)
                    .generateCredential(String.valueOf(account.get("password")), scram.minIterations());
        } catch (NoSuchAlgorithmException unusable) {
            throw new KafkaException("cannot use the password of account '" + name + "'", unusable);
        }
    }

    /** An account without a credential is refused by Kafka. */
    @Override
    public void handle(Callback[] callbacks) throws IOException, UnsupportedCallbackException {
        String who = "";
        for (Callback callback : callbacks) {
            switch (callback) {
                case NameCallback asked -> who = asked.getDefaultName();
                case ScramCredentialCallback asked -> {
                    if (who.equals(name)) {
                        asked.scramCredential(credential);
                    }
                }
                default -> throw new UnsupportedCallbackException(callback);
            }
        }
    }

    @Override
    public void close() {
        // Nothing is open.
    }
}
