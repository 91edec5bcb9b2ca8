package io.millrace.agent.pbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.agent.exec.CommandResult;
import io.millrace.agent.wlm.Answer;
import io.millrace.model.NodeName;
import io.millrace.model.UserName;
import io.millrace.model.cluster.Access;
import io.millrace.model.cluster.HoldKind;
import io.millrace.model.cluster.JobState;
import io.millrace.model.cluster.ResourceUsage;
import io.millrace.model.cluster.RunOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PbsFormatsTest {

    @Test
    void access_to_the_accounting_log_covers_today_s_file_too() {
        assertThat(AccountingFiles.readAccess(Path.of("/var/spool/pbs/server_priv/accounting")))
                .isEqualTo("give the agent read access: setfacl -m u:millrace:x /var/spool/pbs/server_priv;"
                        + " setfacl -m u:millrace:rx -d -m u:millrace:r /var/spool/pbs/server_priv/accounting;"
                        + " setfacl -m u:millrace:r /var/spool/pbs/server_priv/accounting/*");
    }

    @Test
    void an_id_identifies_a_job_an_array_or_a_subjob_and_its_server_can_have_a_domain() {
        assertThat(PbsId.in("123.server").orElseThrow()).isEqualTo(new PbsId(123, null, "server"));
        assertThat(PbsId.in("5[].pbs01.hpc.example.org").orElseThrow().isArray())
                .isTrue();
        final PbsId subjob = PbsId.in("5[7].pbs01.hpc.example.org").orElseThrow();
        assertThat(subjob.isSubjob()).isTrue();
        assertThat(subjob.array()).hasToString("5[].pbs01.hpc.example.org");
        assertThat(subjob.unqualified()).isEqualTo("5[7]");
        assertThat(PbsId.in("0")).contains(new PbsId(0, null, null));
        for (final String none :
                List.of("", "abc", "12_3", "R54.vm", "-1.vm", "5[.vm", "5.vm;id", "5[a].vm", "5. vm")) {
            assertThat(PbsId.in(none)).as(none).isEmpty();
        }
    }

    @Test
    void an_id_without_server_or_domain_means_the_same_job() {
        final PbsId full = PbsId.in("7.pbs.example.org").orElseThrow();
        assertThat(full.isSameJob(PbsId.in("7").orElseThrow())).isTrue();
        assertThat(full.isSameJob(PbsId.in("7.pbs").orElseThrow())).isTrue();
        assertThat(full.isSameJob(PbsId.in("7.pb").orElseThrow())).isFalse();
        assertThat(full.isSameJob(PbsId.in("7[]").orElseThrow())).isFalse();
    }

    @Test
    void durations_can_have_four_digits_of_hours() {
        assertThat(PbsDuration.read("1200:00:01"))
                .isEqualTo(Duration.ofHours(1200).plusSeconds(1));
        assertThat(PbsDuration.read("01:30")).isEqualTo(Duration.ofSeconds(90));
        assertThat(PbsDuration.read("60")).isEqualTo(Duration.ofMinutes(1));
        assertThat(PbsDuration.read("1:00:00:00")).isEqualTo(Duration.ofDays(1));
        assertThat(PbsDuration.read("0:1:40.5")).isEqualTo(Duration.ofSeconds(100));
        assertThat(PbsDuration.read("UNLIMITED")).isNull();
        assertThat(PbsDuration.read("-1")).isNull();
        assertThat(PbsDuration.read(null)).isNull();
        assertThat(PbsDuration.write(Duration.ofDays(50))).isEqualTo("1200:00:00");
        assertThat(PbsDuration.write(Duration.ofMillis(59_001))).isEqualTo("00:01:00");
    }

    @Test
    void sizes_have_units_of_bytes_or_words() {
        assertThat(PbsSize.mib("500mb")).isEqualTo(500);
        assertThat(PbsSize.mib("2gb")).isEqualTo(2048);
        assertThat(PbsSize.mib("1TB")).isEqualTo(1024 * 1024);
        assertThat(PbsSize.mib("3657728kb")).isEqualTo(3572);
        assertThat(PbsSize.mib("1")).as("rounded up").isEqualTo(1);
        assertThat(PbsSize.mib("1mw")).isEqualTo(8);
        assertThat(PbsSize.mib("12xx")).isZero();
        assertThat(PbsSize.mib(null)).isZero();
    }

    @Test
    void times_are_read_in_the_zone_of_the_query() {
        assertThat(PbsTime.read("Fri Nov 20 12:45:40 2026", ZoneOffset.UTC))
                .isEqualTo(Instant.ofEpochSecond(1_795_178_740));
        assertThat(PbsTime.read("Sun Nov  1 01:30:00 2026", ZoneId.of("Asia/Shanghai")))
                .isEqualTo(Instant.parse("2026-10-31T17:30:00Z"));
        assertThat(PbsTime.read("1795178690", ZoneId.of("Asia/Shanghai"))).isEqualTo(Instant.ofEpochSecond(1795178690));
        assertThat(PbsTime.read("0", ZoneOffset.UTC)).isNull();
        assertThat(PbsTime.read("UNKNOWN", ZoneOffset.UTC)).isNull();
    }

    @Test
    void hold_types_can_be_combined() {
        assertThat(HoldTypes.read("n").any()).isFalse();
        assertThat(HoldTypes.read(null).any()).isFalse();
        final HoldTypes both = HoldTypes.read("us");
        assertThat(both.user()).isTrue();
        assertThat(both.system()).isTrue();
        assertThat(both.operator()).isFalse();
        assertThat(HoldTypes.read("p").other()).isTrue();
    }

    @Test
    void each_host_is_listed_once_with_all_its_cores() {
        assertThat(ExecHost.hosts("vm/4*8+vm2/0*8+vm/5")).containsExactly(NodeName.of("vm"), NodeName.of("vm2"));
        assertThat(ExecHost.cores("vm/4*8+vm2/0*8+vm/5")).isEqualTo(Map.of("vm", 9, "vm2", 8));
        assertThat(ExecHost.cores("n1/0-3,7+n2/0")).isEqualTo(Map.of("n1", 5, "n2", 1));
        assertThat(ExecHost.hosts(null)).isEmpty();
        assertThat(ExecHost.coresOfVnodes("(vm[0]:ncpus=8:mem=2097152kb+vm[1]:ncpus=4)+(vm2:ncpus=8)"))
                .isEqualTo(Map.of("vm[0]", 8, "vm[1]", 4, "vm2", 8));
    }

    @Test
    void an_exit_status_is_an_exit_code_a_signal_or_a_reason_of_pbs() {
        assertThat(ExitStatus.outcome(3)).isEqualTo(new RunOutcome.Exited(3));
        assertThat(ExitStatus.outcome(271)).isEqualTo(new RunOutcome.Signalled(15));
        assertThat(ExitStatus.outcome(-25)).isEqualTo(new RunOutcome.Signalled(9));
        assertThat(ExitStatus.outcome(-27)).isEqualTo(new RunOutcome.OutOfMemory());
        assertThat(ExitStatus.outcome(-28)).isEqualTo(new RunOutcome.TimedOut());
        assertThat(ExitStatus.outcome(-11)).isEqualTo(new RunOutcome.Requeued());
        assertThat(ExitStatus.outcome(-29)).isEqualTo(new RunOutcome.TimedOut());
        assertThat(ExitStatus.outcome(-1)).isInstanceOf(RunOutcome.Unknown.class);
    }

    @Test
    void continuation_lines_of_the_full_format_are_joined() {
        final List<PbsObject> jobs = FullFormat.read("""
            Job Id: 1063.vm
                Job_Name = args
                Resource_List.ncpus = 1
                Variable_List = PBS_O_HOME=/home/alice,PBS_O_LOGNAME=alice,
            \tPBS_O_PATH=/opt/pbs/bin
                argument_list = <jsdl-hpcpa:A
            \trgument>x
                max.n = 1
                max.n = 2

            Job Id: 2.vm
                Job_Name =\s
            """, Pattern.compile("Job Id:\\s*(\\S+)"));

        assertThat(jobs).extracting(PbsObject::name).containsExactly("1063.vm", "2.vm");
        final PbsObject job = jobs.get(0);
        assertThat(job.get("Variable_List"))
                .isEqualTo("PBS_O_HOME=/home/alice,PBS_O_LOGNAME=alice,PBS_O_PATH=/opt/pbs/bin");
        assertThat(job.get("argument_list")).isEqualTo("<jsdl-hpcpa:Argument>x");
        assertThat(job.all("max.n")).containsExactly("1", "2");
        assertThat(job.group("Resource_List")).containsExactly(Map.entry("ncpus", "1"));
        assertThat(jobs.get(1).get("Job_Name")).isEmpty();
    }

    @Test
    void the_resources_used_show_why_a_job_was_killed() {
        final RunOutcome terminated = new RunOutcome.Signalled(15);
        final RunOutcome killed = new RunOutcome.Signalled(9);
        final Map<String, String> overtime =
                Map.of("resources_used.walltime", "00:01:01", "Resource_List.walltime", "00:01:00");
        final Map<String, String> outOfMemory = Map.of(
                "resources_used.walltime", "00:00:50",
                "Resource_List.walltime", "00:01:00",
                "resources_used.mem", "2097152kb",
                "Resource_List.mem", "2gb");

        assertThat(ExitStatus.withLimits(terminated, overtime::get))
                .as("Exit_status 271 of older versions")
                .isEqualTo(new RunOutcome.TimedOut());
        assertThat(ExitStatus.withLimits(killed, outOfMemory::get))
                .as("by the kernel, in its cgroup")
                .isEqualTo(new RunOutcome.OutOfMemory());
        assertThat(ExitStatus.withLimits(terminated, outOfMemory::get)).isEqualTo(terminated);
        assertThat(ExitStatus.withLimits(killed, name -> null)).isEqualTo(killed);
        assertThat(ExitStatus.withLimits(new RunOutcome.Exited(1), overtime::get))
                .isEqualTo(new RunOutcome.Exited(1));
    }

    @Test
    void used_resources_are_those_that_mom_has_sampled() {
        assertThat(used("1:00:05", "4632kb")).isEqualTo(new ResourceUsage(Duration.ofSeconds(3605), 4632L << 10, null));
        assertThat(used("00:00:00", "1404kb"))
                .as("a job that sleeps")
                .isEqualTo(new ResourceUsage(Duration.ZERO, 1404L << 10, null));
        assertThat(used("00:00:00", "0kb")).as("never sampled").isEqualTo(ResourceUsage.NONE);
        assertThat(ResourcesUsed.read(name -> null)).isEqualTo(ResourceUsage.NONE);
    }

    private static ResourceUsage used(final String cpu, final String memory) {
        return ResourcesUsed.read(Map.of("resources_used.cput", cpu, "resources_used.mem", memory)::get);
    }

    @Test
    void an_access_list_admits_and_denies_users_and_groups() {
        final PbsObject queue = new PbsObject.Builder("batch")
                .add("acl_user_enable", "True")
                .add("acl_users", "alice@*,+bob, -carol@login.site.org")
                .add("acl_group_enable", "True")
                .add("acl_groups", "-guests")
                .build();

        final Access access = AccessLists.of(queue, false);
        assertThat(access.users()).containsExactlyInAnyOrder(UserName.of("alice"), UserName.of("bob"));
        assertThat(access.deniedUsers()).containsExactly(UserName.of("carol"));
        assertThat(access.groups()).isEmpty();
        assertThat(access.deniedGroups()).containsExactly("guests");
        assertThat(AccessLists.of(queue, true).groups()).containsExactly("root");
    }

    @Test
    void a_job_can_be_started_if_it_waits_without_a_hold_of_another_type() {
        assertThat(StartCheck.refusal(new JobState.Queued())).isEmpty();
        assertThat(StartCheck.refusal(new JobState.Held(HoldKind.ENTRY))).isEmpty();
        assertThat(StartCheck.refusal(new JobState.Held(HoldKind.USER))).contains("is held by its owner");
        assertThat(StartCheck.refusal(new JobState.Completing())).contains("is completing");
    }

    @Test
    void the_job_id_is_the_last_line_that_qsub_prints() {
        assertThat(QsubCommand.jobId(CommandResult.of(0, "filter: ok\n12.vm\n", ""))
                        .get())
                .isEqualTo("12.vm");
        assertThat(QsubCommand.jobId(CommandResult.of(0, "no id", ""))).isInstanceOf(Answer.Trouble.class);
    }
}
