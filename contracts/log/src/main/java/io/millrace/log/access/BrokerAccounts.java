package io.millrace.log.access;

import io.millrace.log.ClientProperties;
import io.millrace.log.Clients;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.acl.AccessControlEntryFilter;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.ResourcePatternFilter;
import org.apache.kafka.common.security.scram.ScramLoginModule;

/** Gives parts their accounts and rights at a broker, or prints them for the tools of a site. */
public final class BrokerAccounts {

    private static final String USAGE = """
        usage: broker-accounts grant --bootstrap-server=HOST:PORT --command-config=FILE [--logins=FOLDER] PART...
               broker-accounts kafka-acls PART...
               broker-accounts kafka-users PART...
        PART: quota, classifier, backfill, migration, transfer, submit, agent-CLUSTER, operator\
        """;

    private static final int ITERATIONS = 8192;

    private final Admin admin;

    BrokerAccounts(final Admin admin) {
        this.admin = admin;
    }

    /** See {@code ./millrace broker-accounts}. */
    public static void main(final String... args) {
        try {
            run(System.out, args);
        } catch (final IllegalArgumentException | IllegalStateException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        }
    }

    static void run(final PrintStream out, final String... args) {
        final Map<String, String> options = new HashMap<>();
        final List<String> words = new ArrayList<>();
        for (final String arg : args) {
            if (arg.startsWith("--")) {
                final String[] option = arg.substring(2).split("=", 2);
                options.put(option[0], option.length > 1 ? option[1] : "");
            } else {
                words.add(arg);
            }
        }
        if (words.size() < 2) {
            throw new IllegalArgumentException(USAGE);
        }
        final List<BrokerAccess> rows =
                words.stream().skip(1).map(Part::named).map(BrokerAccess::of).toList();
        switch (words.getFirst()) {
            case "grant" -> grant(out, options, rows);
            case "kafka-acls" -> rows.forEach(row -> AccessTexts.commands(row).forEach(out::println));
            case "kafka-users" -> rows.forEach(row -> out.print(AccessTexts.kafkaUser(row)));
            default -> throw new IllegalArgumentException("'" + words.getFirst() + "' is not a command\n" + USAGE);
        }
    }

    private static void grant(final PrintStream out, final Map<String, String> options, final List<BrokerAccess> rows) {
        final Map<String, Object> login = ClientProperties.read(Path.of(need(options, "command-config")));
        Clients.useEverywhere(login);
        try (Admin admin = Clients.openAdmin(need(options, "bootstrap-server"), Map.of())) {
            final BrokerAccounts accounts = new BrokerAccounts(admin);
            if (options.containsKey("logins")) {
                accounts.create(Path.of(need(options, "logins")), login, rows);
            }
            accounts.grant(rows).forEach(out::println);
        }
    }

    private static String need(final Map<String, String> options, final String name) {
        final String value = options.getOrDefault(name, "");
        if (value.isBlank()) {
            throw new IllegalArgumentException("--" + name + " requires a value\n" + USAGE);
        }
        return value;
    }

    /**
     * Makes the access lists of these parts what the table says: missing ones are added, others of their accounts are removed.
     *
     * @return a line for each change
     */
    List<String> grant(final Collection<BrokerAccess> rows) {
        final List<AclBinding> missing = new ArrayList<>();
        final List<AclBinding> surplus = new ArrayList<>();
        for (final BrokerAccess row : rows) {
            final Collection<AclBinding> present = answer(
                    "read the access lists",
                    admin.describeAcls(of(row.principal())).values());
            row.bindings().stream().filter(acl -> !present.contains(acl)).forEach(missing::add);
            present.stream().filter(acl -> !row.bindings().contains(acl)).forEach(surplus::add);
        }
        answer("add access lists", admin.createAcls(missing).all());
        answer(
                "remove access lists",
                admin.deleteAcls(surplus.stream().map(AclBinding::toFilter).toList())
                        .all());
        final List<String> changes = new ArrayList<>();
        missing.forEach(acl -> changes.add("added " + AccessTexts.line(acl)));
        surplus.forEach(acl -> changes.add("removed " + AccessTexts.line(acl)));
        return changes;
    }

    private static AclBindingFilter of(final String principal) {
        return new AclBindingFilter(
                ResourcePatternFilter.ANY,
                new AccessControlEntryFilter(principal, null, AclOperation.ANY, AclPermissionType.ANY));
    }

    /**
     * Creates accounts with new passwords, except for parts that have a file in the folder.
     *
     * @param folder for files of client properties, one per part, readable by their owner only
     * @param admin the properties of the client, which all parts use except its account
     */
    private void create(final Path folder, final Map<String, Object> admin, final List<BrokerAccess> rows) {
        for (final BrokerAccess row : rows) {
            final Path file = folder.resolve(row.part().account() + ".properties");
            if (Files.exists(file)) {
                continue;
            }
            final String password = password();
            answer(
                    "create account '" + row.part().account() + "'",
                    this.admin
                            .alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
                                    row.part().account(),
                                    new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, ITERATIONS),
                                    password)))
                            .all());
            write(file, properties(admin, row.part().account(), password));
        }
    }

    private static String password() {
        final byte[] bytes = new byte[24];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static String properties(final Map<String, Object> admin, final String account, final String password) {
        final Map<String, Object> all = new TreeMap<>(admin);
        final boolean isEncrypted =
                String.valueOf(admin.get("security.protocol")).endsWith("SSL");
        all.put("security.protocol", isEncrypted ? "SASL_SSL" : "SASL_PLAINTEXT");
        all.put("sasl.mechanism", "SCRAM-SHA-512");
        all.put(
                "sasl.jaas.config",
                "%s required username=\"%s\" password=\"%s\";"
                        .formatted(ScramLoginModule.class.getName(), account, password));
        return all.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                .collect(Collectors.joining());
    }

    private static void write(final Path file, final String text) {
        try {
            final Path parent = Optional.ofNullable(file.getParent()).orElse(Path.of("."));
            Files.createDirectories(parent);
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, text);
        } catch (final IOException e) {
            throw new UncheckedIOException("cannot write the login '" + file + "': " + e.getMessage(), e);
        }
    }

    private static <T> T answer(final String what, final KafkaFuture<T> future) {
        try {
            return future.get();
        } catch (final ExecutionException e) {
            throw new IllegalStateException(
                    "cannot " + what + ": " + e.getMessage()
                            + "; the account in --command-config must be a super user of the broker",
                    e);
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted: cannot " + what, e);
        }
    }
}
