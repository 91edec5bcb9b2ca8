package io.millrace.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.agent.exec.TestAccounts;
import io.millrace.model.AttemptId;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action;
import io.millrace.model.command.Issuer;
import io.millrace.model.command.Result;
import io.millrace.model.transfer.Place;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies through an object store, which is a folder of this machine, by commands on the log. */
class AgentObjectStoreIT extends AgentScenario {

    private static final UserName OWNER = UserName.of("anna");

    @BeforeAll
    static void rclone_is_installed() {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/rclone")), "rclone is not installed");
    }

    @Override
    @BeforeEach
    void start() {
        try {
            final Path config = Files.writeString(home.resolve("rclone.conf"), "[disk]\ntype = local\n");
            Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-------"));
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
        super.start();
    }

    @Test
    void a_tree_is_sent_fetched_and_removed_by_commands() throws IOException {
        TestAccounts.give(Files.writeString(directory.resolve("größe.txt"), "12345"));
        TestAccounts.give(Files.write(directory.resolve("grid"), new byte[11_000_000]));
        final AttemptId attempt = deciders.attempt();
        final TransferId transfer = TransferId.of(attempt + "/upload");
        final Place from = new Place(deciders.cluster, null, directory.toString());
        final Path staged = home.resolve("staging/anna/" + attempt);
        final String store = "disk:" + home.resolve("bucket");

        final Result sent =
                deciders.answers(Issuer.TRANSFER, new Action.SendTree(transfer, OWNER, from, null, null, store));
        assertThat(sent)
                .isInstanceOfSatisfying(
                        Result.Done.class,
                        done -> assertThat(done.detail()).startsWith("2 files, 11000005 bytes, in object store"));
        final Result fetched = deciders.answers(
                Issuer.TRANSFER,
                new Action.CopyTree(
                        transfer,
                        OWNER,
                        from,
                        new Place(deciders.cluster, null, staged.toString()),
                        null,
                        null,
                        null,
                        store));
        assertThat(fetched)
                .isInstanceOfSatisfying(
                        Result.Done.class, done -> assertThat(done.detail()).contains("digest"));
        assertThat(Files.readString(staged.resolve("größe.txt"))).isEqualTo("12345");
        assertThat(staged.resolve("grid")).hasSize(11_000_000);

        assertThat(deciders.answers(Issuer.TRANSFER, new Action.RemoveCopy(attempt, OWNER, staged.toString())))
                .isInstanceOf(Result.Done.class);
        assertThat(staged).doesNotExist();
        assertThat(home.resolve("bucket/anna")).doesNotExist();
    }

    @Test
    void a_store_that_the_agent_does_not_use_is_named() {
        final AttemptId attempt = deciders.attempt();
        final Result sent = deciders.answers(
                Issuer.TRANSFER,
                new Action.SendTree(
                        TransferId.of(attempt + "/upload"),
                        OWNER,
                        new Place(deciders.cluster, null, directory.toString()),
                        null,
                        null,
                        "other:x"));
        assertThat(sent)
                .isInstanceOfSatisfying(
                        Result.Failed.class,
                        failed -> assertThat(failed.reason()).contains("'other:x'"));
    }
}
