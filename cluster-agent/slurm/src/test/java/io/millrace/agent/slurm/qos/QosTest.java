package io.millrace.agent.slurm.qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.slurm.Preconditions;
import io.millrace.agent.slurm.Transcripts;
import io.millrace.agent.slurm.command.ChangeCommand;
import io.millrace.agent.slurm.command.Sacctmgr;
import io.millrace.agent.slurm.query.ConfigQuery.Config;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Capability;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names and changes of Millrace's QoS, and the capabilities that a Slurm configuration withholds. */
class QosTest {

    private static final UserName ANNA = UserName.of("anna");
    private static final QosNames NAMES = new QosNames(ClusterId.of("alpha"));
    private static final QosChanges CHANGES = new QosChanges(Transcripts.SITE, "alpha", NAMES);
    private static final Qos COMMON = new Qos("mr.alpha", null, Set.of(), "requeue", 0);
    private static final Qos OWN = new Qos("mr.alpha.anna", 8, Set.of("mr.alpha"), "cluster", 1000);
    private static final Association READY =
            new Association("astro", Set.of("normal", "mr.alpha", "mr.alpha.anna"), "mr.alpha.anna");

    private static final Map<String, String> COMPLETE = Map.of(
            "ClusterName", "alpha",
            "SlurmUser", "slurm(64030)",
            "AccountingStorageType", "accounting_storage/slurmdbd",
            "AccountingStorageEnforce", "associations,limits,qos,safe",
            "PreemptType", "preempt/qos",
            "PreemptMode", "GANG,REQUEUE");

    @Test
    void the_name_of_a_qos_encodes_cluster_and_user_in_characters_that_sacctmgr_keeps() {
        assertThat(NAMES.common()).isEqualTo("mr.alpha");
        assertThat(NAMES.own(ANNA)).isEqualTo("mr.alpha.anna");
        assertThat(NAMES.own(UserName.of("Anna@x.example"))).isEqualTo("mr.alpha.~41nna~40x.example");
        for (final String name : List.of("anna", "Anna", "a.b-c_d", "größe", "x@y", "a+b$", "温度", "common")) {
            assertThat(NAMES.user(NAMES.own(UserName.of(name)))).contains(UserName.of(name));
            assertThat(NAMES.own(UserName.of(name))).matches("[a-z0-9._~-]+").isNotEqualTo(NAMES.common());
        }
    }

    @Test
    void a_qos_that_belongs_to_no_user_has_no_user() {
        for (final String name : List.of(
                "mr.alpha", "mr.alpha.", "mr.beta.anna", "normal", "mr.alpha.~4", "mr.alpha.~zz", "mr.alpha.~61")) {
            assertThat(NAMES.user(name)).as(name).isEmpty();
        }
    }

    @Test
    void no_changes_are_needed_if_slurmdbd_is_up_to_date() {
        assertThat(CHANGES.toSet(ANNA, 8, List.of(COMMON, OWN), List.of(READY))).isEmpty();
        assertThat(CHANGES.toClear(ANNA, List.of(COMMON), List.of(new Association("astro", Set.of("normal"), ""))))
                .isEmpty();
    }

    @Test
    void the_first_quota_of_a_user_creates_both_qos_and_allows_them() {
        assertThat(lines(CHANGES.toSet(ANNA, 8, List.of(), List.of(new Association("astro", Set.of("normal"), "")))))
                .containsExactly(
                        "sacctmgr --immediate add qos mr.alpha set PreemptMode=requeue",
                        "sacctmgr --immediate add qos mr.alpha.anna set GrpTRES=cpu=8 Preempt=mr.alpha Priority=1000",
                        "sacctmgr --immediate modify user where name=anna cluster=alpha set"
                                + " qos+=mr.alpha.anna,mr.alpha defaultqos=mr.alpha.anna");
    }

    @Test
    void only_differences_are_changed() {
        final Qos edited = new Qos("mr.alpha.anna", null, Set.of("normal"), "cluster", 1000);
        assertThat(lines(CHANGES.toSet(ANNA, 8, List.of(COMMON, edited), List.of(READY))))
                .containsExactly("sacctmgr --immediate modify qos where name=mr.alpha.anna set GrpTRES=cpu=8"
                        + " Preempt=mr.alpha Priority=1000");
        final Association other = new Association("physics", Set.of("normal"), "normal");
        assertThat(lines(CHANGES.toSet(ANNA, 8, List.of(COMMON, OWN), List.of(READY, other))))
                .singleElement()
                .asString()
                .contains("modify user where name=anna");
    }

    @Test
    void clearing_a_quota_deletes_the_users_qos_and_keeps_the_common_one() {
        assertThat(lines(CHANGES.toClear(ANNA, List.of(COMMON, OWN), List.of(READY))))
                .containsExactly(
                        "sacctmgr --immediate modify user where name=anna cluster=alpha set defaultqos=-1",
                        "sacctmgr --immediate modify user where name=anna cluster=alpha set qos-=mr.alpha.anna",
                        "sacctmgr --immediate delete qos where name=mr.alpha.anna");
    }

    @Test
    void sacctmgr_exits_with_one_if_there_is_nothing_to_change() {
        final ChangeCommand command = Sacctmgr.of(Transcripts.SITE, "add", "qos", "x");

        assertThat(command.read(CommandResult.of(1, " Nothing new added.\n", "")))
                .isInstanceOf(Answer.Ok.class);
        assertThat(command.read(CommandResult.of(1, " Nothing modified\n", ""))).isInstanceOf(Answer.Ok.class);
        assertThat(command.read(
                        CommandResult.of(1, " Adding QOS(s)\n", " Problem adding QOS: Access/permission denied\n")))
                .isInstanceOfSatisfying(Answer.Trouble.class, trouble -> {
                    assertThat(trouble.kind()).isEqualTo(Answer.Kind.DENIED);
                    assertThat(trouble.reason()).contains("adminlevel=Administrator");
                });
        assertThat(command.read(CommandResult.of(1, "", ""))).isInstanceOf(Answer.Trouble.class);
    }

    @Test
    void qos_are_read_although_other_names_contain_the_separator() {
        final String output = "normal|cpu=9||cluster|0\n"
                + "a|b|||||\n"
                + "mr.alpha|||requeue|0\n"
                + "mr.alpha.anna|cpu=8,gres/gpu=2|mr.alpha|cluster|1000\n";

        assertThat(new QosQuery(Transcripts.SITE, "mr.alpha")
                        .read(CommandResult.of(0, output, ""))
                        .get())
                .containsExactly(COMMON, OWN);
        assertThat(new AssociationQuery(Transcripts.SITE, "alpha", ANNA)
                        .read(CommandResult.of(0, "mr.alpha,normal|normal|a|b\n|| \n", ""))
                        .get())
                .containsExactly(
                        new Association("a|b", Set.of("mr.alpha", "normal"), "normal"),
                        new Association(" ", Set.of(), ""));
    }

    @Test
    void a_complete_configuration_withholds_nothing() {
        for (final String self : List.of("root", "slurm")) {
            assertThat(new Preconditions(new Config(COMPLETE), self, Answer.ok("None")).withheld())
                    .isEmpty();
        }
        assertThat(new Preconditions(new Config(COMPLETE), "millrace", Answer.ok("Administrator")).withheld())
                .isEmpty();
    }

    @Test
    void each_missing_setting_is_reported_with_its_remedy() {
        final Map<Capability, String> bare = new Preconditions(
                        new Config(Map.of(
                                "SlurmUser", "slurm(64030)",
                                "AccountingStorageType", "accounting_storage/none",
                                "AccountingStorageEnforce", "none",
                                "PreemptType", "preempt/none",
                                "PreemptMode", "OFF")),
                        "slurm",
                        Answer.trouble(Answer.Kind.REJECTED, "none"))
                .withheld();
        assertThat(bare).containsOnlyKeys(Capability.TIER, Capability.LIMIT);
        assertThat(bare.get(Capability.TIER))
                .contains(
                        "AccountingStorageType=accounting_storage/slurmdbd",
                        "AccountingStorageEnforce=associations,limits,qos",
                        "PreemptType=preempt/qos",
                        "PreemptMode=REQUEUE");
        for (final String setting : List.of("AccountingStorageEnforce", "PreemptType", "PreemptMode")) {
            final Map<String, String> less = new HashMap<>(COMPLETE);
            less.put(setting, "");
            assertThat(new Preconditions(new Config(less), "root", Answer.ok(""))
                            .withheld()
                            .get(Capability.TIER))
                    .contains("set " + setting + "=");
        }
    }

    @ParameterizedTest
    @CsvSource({"22.05.8, false", "24.05.4, false", "24.11.7, true", "26.05.3, true", "'', false"})
    void newer_releases_without_slurmdbd_change_no_partitions(final String release, final boolean withheld) {
        final Map<String, String> without = new HashMap<>(COMPLETE);
        without.put("SLURM_VERSION", release);
        assertThat(new Preconditions(new Config(without), "root", Answer.ok("")).withheld())
                .isEmpty();
        without.put("AccountingStorageType", "accounting_storage/none");
        final Map<Capability, String> missing =
                new Preconditions(new Config(without), "root", Answer.trouble(Answer.Kind.REJECTED, "none")).withheld();
        assertThat(missing.containsKey(Capability.MOVE)).isEqualTo(withheld);
        assertThat(missing.containsKey(Capability.PARTITION_CHOICE)).isEqualTo(withheld);
        assertThat(missing.getOrDefault(Capability.MOVE, release)).contains(release);
    }

    @Test
    void a_missing_admin_level_is_reported_with_its_remedy() {
        for (final String level : List.of("", "None", "Operator")) {
            assertThat(new Preconditions(new Config(COMPLETE), "millrace", Answer.ok(level)).withheld())
                    .containsKeys(Capability.START, Capability.REQUEUE, Capability.ALTER, Capability.LIMIT)
                    .allSatisfy((capability, reason) ->
                            assertThat(reason).contains("'millrace'", "adminlevel=Administrator"));
        }
        // slurmdbd is down: slurmctld still caches its administrators, so only limits cannot be changed.
        assertThat(new Preconditions(new Config(COMPLETE), "millrace", Answer.trouble(Answer.Kind.DOWN, "refused"))
                        .withheld())
                .containsOnlyKeys(Capability.LIMIT);
    }

    private static List<String> lines(final List<ChangeCommand> commands) {
        return commands.stream()
                .map(command -> String.join(" ", command.argv()))
                .toList();
    }
}
