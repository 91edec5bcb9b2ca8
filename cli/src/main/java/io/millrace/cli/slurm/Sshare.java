package io.millrace.cli.slurm;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.cli.api.ApiClient;
import io.millrace.cli.api.CommandException;
import io.millrace.cli.api.ExitCode;
import io.millrace.cli.api.Settings;
import io.millrace.cli.text.Printer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows quotas as Slurm shows shares. */
@Command(
        name = "sshare",
        versionProvider = SlurmVersion.class,
        sortOptions = false,
        description =
                "Shows quotas of each cluster as shares: RawShares are the guaranteed cores, RawUsage the cores in"
                        + " use.",
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:success", "1:failure"})
public final class Sshare implements Callable<Integer> {

    private static final String USUAL = "Account,User,RawShares,NormShares,RawUsage,EffectvUsage,FairShare";

    @Mixin
    SlurmOptions common = new SlurmOptions();

    @Mixin
    AccountingTable table = new AccountingTable();

    @Option(
            names = {"-u", "--users"},
            paramLabel = "USERS",
            description = "only these users (default: you)")
    @Nullable
    List<String> users;

    @Option(
            names = {"-A", "--accounts"},
            paramLabel = "PROJECTS",
            description = "only these projects")
    @Nullable
    List<String> accounts;

    @Option(
            names = {"-a", "--all"},
            description = "all users that you may see")
    boolean all;

    @Option(names = "-h", hidden = true)
    boolean noHeading;

    @Option(
            names = {"-l", "--long", "-m", "--partition", "-U", "--Users"},
            hidden = true)
    boolean[] noEffect = new boolean[0];

    private final Map<String, String> environment;

    public Sshare(final Map<String, String> environment) {
        this.environment = environment;
    }

    /** @param total cores of the cluster */
    private record Share(JsonNode quota, long total) {

        private static final List<SlurmColumn<Share>> COLUMNS = List.of(
                column("Cluster", 10, share -> share.quota.path("cluster").asText()),
                column("Account", -20, Share::account),
                column("User", 10, share -> share.quota.path("user").asText()),
                column(
                        "RawShares",
                        10,
                        share -> Long.toString(share.quota.path("cores").asLong())),
                column("NormShares", 11, share -> fraction(share.shares())),
                column("RawUsage", 11, share -> Long.toString(share.used())),
                column("EffectvUsage", 13, share -> fraction(share.usage())),
                column(
                        "FairShare",
                        10,
                        share -> fraction(Math.pow(2, -share.usage() / Math.max(share.shares(), 1e-6)))));

        private static SlurmColumn<Share> column(
                final String name, final int width, final Function<Share, String> value) {
            return new SlurmColumn<>(name, null, name, width, value);
        }

        private static String fraction(final double value) {
            return String.format(Locale.ROOT, "%.6f", value);
        }

        private String account() {
            final String holder = quota.path("holder").asText();
            return quota.hasNonNull("user") ? "root" : holder.replaceFirst("^(project|group):", "");
        }

        private long used() {
            return quota.path("usage").path("guaranteedCores").asLong()
                    + quota.path("usage").path("borrowedCores").asLong();
        }

        private double shares() {
            return total == 0 ? 0 : (double) quota.path("cores").asLong() / total;
        }

        private double usage() {
            return total == 0 ? 0 : (double) used() / total;
        }
    }

    @Override
    public Integer call() throws CommandException {
        return run(new ApiClient(Settings.read(environment)));
    }

    int run(final ApiClient api) throws CommandException {
        table.noHeader |= noHeading;
        final Map<String, Long> cores = new HashMap<>();
        api.get("/clusters")
                .path("clusters")
                .forEach(cluster -> cores.put(
                        cluster.path("name").asText(),
                        cluster.path("total").path("cores").asLong()));
        final List<String> owners = all ? List.of() : users == null ? List.of(api.user()) : JobLookup.words(users);
        final List<Share> shares = new ArrayList<>();
        for (final JsonNode quota : api.get("/quotas").path("quotas")) {
            final boolean ofUser =
                    quota.hasNonNull("user") && JobLookup.field("user", owners).test(quota);
            if ((ofUser || !quota.hasNonNull("user"))
                    && JobLookup.field("cluster", common.clusters()).test(quota)) {
                shares.add(new Share(
                        quota, cores.getOrDefault(quota.path("cluster").asText(), 0L)));
            }
        }
        final List<String> projects = JobLookup.words(accounts);
        shares.removeIf(share -> !projects.isEmpty() && !projects.contains(share.account()));
        table.lines(shares, Share.COLUMNS, USUAL).forEach(Printer::out);
        return ExitCode.OK;
    }
}
