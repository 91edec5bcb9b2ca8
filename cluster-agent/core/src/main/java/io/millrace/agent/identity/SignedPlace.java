package io.millrace.agent.identity;

import io.millrace.model.AttemptId;
import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.Veto;
import io.millrace.model.VetoCode;
import io.millrace.model.authorization.Authorization;
import io.millrace.model.command.Action;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a signed submission may act on this cluster: on its source cluster in the directory that was signed, elsewhere in the staging
 * directory of the attempt, which follows from owner and attempt. A command only repeats the place.
 *
 * @param stagingRoot of this cluster
 */
public record SignedPlace(ClusterId cluster, String stagingRoot) {

    /** The veto if the job of an attempt must not run in this directory. */
    public Optional<Veto> run(
            final Authorization signed, final UserName owner, final AttemptId attempt, final String directory) {
        final String expected = directory(signed, owner, attempt);
        return directory.equals(expected)
                ? Optional.empty()
                : veto(
                        VetoCode.SIGNATURE_DIRECTORY,
                        "attempt " + attempt + " runs in '" + expected + "' on '" + cluster + "', not in '" + directory
                                + "'");
    }

    /** The veto if a dry run is for another cluster or directory. */
    public Optional<Veto> dryRun(final Authorization signed, final String directory) {
        return isSource(signed) && directory.equals(signed.directory())
                ? Optional.empty()
                : veto(
                        VetoCode.SIGNATURE_DIRECTORY,
                        "the dry run is for " + signed.cluster() + ":" + signed.directory() + ", not for " + cluster
                                + ":" + directory);
    }

    /** The directory of an attempt on this cluster. */
    String directory(final Authorization signed, final UserName owner, final AttemptId attempt) {
        return isSource(signed) ? signed.directory() : Authorization.stagingDirectory(stagingRoot, owner, attempt);
    }

    /** The veto if the staging directory of an attempt must not be removed. */
    public Optional<Veto> removal(final Authorization signed, final Action.RemoveCopy order) {
        return isSource(signed)
                ? veto(
                        VetoCode.SIGNATURE_DIRECTORY,
                        "'" + order.directory() + "' is the directory of job " + signed.job() + " and not a copy")
                : run(signed, order.owner(), order.attempt(), order.directory());
    }

    /**
     * The veto if a tree must not be copied to this cluster: the files of the job are copied from the signed directory to the staging
     * directory, the results from the staging directory of another cluster to the signed directory.
     *
     * @param home home directory of the owner's account on this cluster
     */
    public Optional<Veto> copy(
            final Authorization signed, final AttemptId attempt, final Action.CopyTree order, final String home) {
        final Optional<Veto> to = order.to().cluster().equals(cluster)
                ? run(signed, order.owner(), attempt, order.to().path())
                : veto(
                        VetoCode.SIGNATURE_DIRECTORY,
                        "the copy is for '" + order.to().cluster() + "'");
        return to.or(() -> isSource(signed) ? results(signed, attempt, order) : inputs(signed, order))
                .or(() -> home(signed, order, home));
    }

    private Optional<Veto> inputs(final Authorization signed, final Action.CopyTree order) {
        if (!order.from().cluster().value().equals(signed.cluster())
                || !order.from().path().equals(signed.directory())) {
            return veto(
                    VetoCode.SIGNATURE_COPY,
                    "the files of job " + signed.job() + " are in " + signed.cluster() + ":" + signed.directory()
                            + ", not in " + order.from());
        }
        return signed.coversInputs(order.filter()) ? Optional.empty() : rules(signed);
    }

    private Optional<Veto> results(final Authorization signed, final AttemptId attempt, final Action.CopyTree order) {
        final String end = "/" + order.owner() + "/" + attempt;
        if (order.from().cluster().equals(cluster)
                || !order.from().path().endsWith(end)
                || !isNormalized(order.from().path())) {
            return veto(
                    VetoCode.SIGNATURE_COPY,
                    "the results of attempt " + attempt + " are in a directory of another cluster that ends" + " with '"
                            + end + "', not in " + order.from());
        }
        return signed.coversResults(order.filter()) ? Optional.empty() : rules(signed);
    }

    private static Optional<Veto> rules(final Authorization signed) {
        return veto(
                VetoCode.SIGNATURE_COPY,
                "the filter rules of a copy for job " + signed.job() + " are not those that were signed");
    }

    /**
     * Files that a login or a daemon reads are in the home directory itself, so no copy writes there. A job that was submitted in a directory
     * of that name is refused before its files are copied, because its results could not come back.
     */
    private static Optional<Veto> home(final Authorization signed, final Action.CopyTree order, final String home) {
        return isSame(order.to().path(), home) || isSame(signed.directory(), home)
                ? veto(
                        VetoCode.HOME_DIRECTORY,
                        "'" + home + "' is the home directory of user '" + order.owner()
                                + "', and results are never copied into it; submit the job in a folder below it")
                : Optional.empty();
    }

    private boolean isSource(final Authorization signed) {
        return cluster.value().equals(signed.cluster());
    }

    private static boolean isSame(final String path, final String other) {
        try {
            return Path.of(path).normalize().equals(Path.of(other).normalize());
        } catch (final InvalidPathException e) {
            return false; // no directory of this host
        }
    }

    private static boolean isNormalized(final String path) {
        try {
            return Path.of(path).normalize().toString().equals(path);
        } catch (final InvalidPathException e) {
            return false;
        }
    }

    private static Optional<Veto> veto(final VetoCode code, final String because) {
        return Optional.of(code.veto(because));
    }
}
