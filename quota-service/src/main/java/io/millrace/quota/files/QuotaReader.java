package io.millrace.quota.files;

import io.millrace.model.policy.QuotaPeriod;
import io.millrace.model.policy.QuotaTerms;
import io.millrace.quota.domain.quota.QuotaRequests;
import io.millrace.yaml.MarkedYaml;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;

/** Reads the figures behind the holders of a quota file. */
final class QuotaReader {

    private static final String[] TERMS = {"cores", "gpus", "mayBorrow", "mayLend", "periods"};
    private static final String[] PERIOD = {"from", "until", "cores", "gpus"};

    private final MarkedYaml yaml;
    private final String expected;

    /** @param expected what stands in such a file, for messages */
    QuotaReader(final MarkedYaml yaml, final String expected) {
        this.yaml = yaml;
        this.expected = expected;
    }

    /** What stands behind a holder: a number of cores, or a mapping with more. */
    record Figures(int cores, QuotaTerms terms) {}

    Figures figures(final Node node) {
        if (!(node instanceof MappingNode)) {
            return new Figures(number(node, "cores"), QuotaTerms.NONE);
        }
        final Map<String, Node> said = yaml.fields(node, TERMS);
        final Node periods = said.get("periods");
        final List<QuotaPeriod> planned = periods == null
                ? List.of()
                : yaml.items(periods).stream().map(this::period).toList();
        return new Figures(
                number(yaml.required(said, "cores", node), "cores"),
                yaml.checked(
                        periods == null ? node : periods,
                        () -> new QuotaTerms(
                                optional(said, "gpus"),
                                optional(said, "mayBorrow"),
                                optional(said, "mayLend"),
                                planned)));
    }

    private QuotaPeriod period(final Node node) {
        final Map<String, Node> said = yaml.fields(node, PERIOD);
        final Instant from = yaml.instant(yaml.required(said, "from", node));
        final Instant until = yaml.instant(yaml.required(said, "until", node));
        final int cores = number(yaml.required(said, "cores", node), "cores");
        return yaml.checked(node, () -> new QuotaPeriod(from, until, cores, optional(said, "gpus")));
    }

    private @Nullable Integer optional(final Map<String, Node> said, final String name) {
        final Node node = said.get(name);
        return node == null ? null : Integer.valueOf(number(node, name));
    }

    private int number(final Node node, final String what) {
        final BigInteger number;
        try {
            number = new BigInteger(text(node));
        } catch (final NumberFormatException e) {
            throw yaml.wrong(node, "'" + text(node) + "' is not a number of " + what);
        }
        if (number.signum() < 0) {
            throw yaml.wrong(node, "a quota cannot be negative: " + number + " " + what);
        }
        if (number.compareTo(BigInteger.valueOf(QuotaRequests.MAX_CORES)) > 0) {
            throw yaml.wrong(
                    node, number + " " + what + " are more than any centre has (at most " + QuotaRequests.MAX_CORES + ")");
        }
        return number.intValueExact();
    }

    private String text(final Node node) {
        return yaml.text(node, expected);
    }
}
