package io.millrace.agent.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandLine;
import io.millrace.agent.session.LoginUmask;
import io.millrace.model.ClusterId;
import io.millrace.model.TransferId;
import io.millrace.model.UserName;
import io.millrace.model.command.Action.CopyTree;
import io.millrace.model.transfer.Place;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The list of the helper contains the digests of the scripts that the agent runs as an owner. */
class HelperCommandsTest {

    private static final Path FOLDER = Path.of("../../deploy/agent/helper");
    private static final TransferSettings SETTINGS = TransferSettings.of("/staging", null);
    private static final CopyTree ORDER = new CopyTree(
            TransferId.of("01JQZ8Y6T0000000000000000A.1/download"),
            UserName.of("anna"),
            new Place(ClusterId.of("beta"), "beta", "/staging/anna/01JQZ8Y6T0000000000000000A.1"),
            new Place(ClusterId.of("alpha"), null, "/home/anna/run"),
            Instant.EPOCH,
            List.of(),
            null,
            "");

    private static Map<String, CommandLine<?>> scripts() {
        final Map<String, CommandLine<?>> all = new TreeMap<>();
        all.put("BecomeScript", new LoginUmask());
        all.put("MakeFolders", new MakeFolders(null, List.of("/x"), ""));
        all.put("CopyTrees", new CopyTrees(SETTINGS, ORDER, false));
        all.put("CheckCopied", new CheckCopied(SETTINGS, ORDER));
        all.put("CompareTrees", new CompareTrees(SETTINGS, ORDER));
        all.put("ChangedFiles", new ChangedFiles(SETTINGS, ORDER, false, "x"));
        all.put("KeepBoth", new KeepBoth(ORDER.to(), "x", "y"));
        all.put("TakeCachedFiles", new TakeCachedFiles(SETTINGS, ORDER, "/x"));
        all.put("StoreInCache", new StoreInCache(ORDER.to(), "/x", 1, Duration.ofHours(1)));
        all.put("RemoveLeftovers", new RemoveLeftovers(ORDER, false, null));
        all.put("RemoveTree", new RemoveTree("/x"));
        return all;
    }

    /** With {@code -Dmillrace.write-helper-commands} the file is written instead. */
    @Test
    void every_script_of_the_agent_is_in_the_list_of_the_helper() throws Exception {
        String text = Files.readString(FOLDER.resolve("commands.in"));
        for (final Map.Entry<String, CommandLine<?>> script : scripts().entrySet()) {
            assertThat(text).contains("#" + script.getKey() + "\t");
            text = text.replace(
                    "#" + script.getKey() + "\t",
                    "#" + digest(script.getValue().argv().get(2)) + "\t");
        }
        if (System.getProperty("millrace.write-helper-commands") != null) {
            Files.writeString(FOLDER.resolve("commands"), text);
        }
        assertThat(Files.readString(FOLDER.resolve("commands")))
                .as("write the list with: ./mvnw -pl cluster-agent/core test -Dtest=HelperCommandsTest"
                        + " -Dmillrace.write-helper-commands")
                .isEqualTo(text);
    }

    private static String digest(final String text) throws Exception {
        return HexFormat.of()
                .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }
}
