package io.millrace.quota;

import io.millrace.model.policy.QuotaPeriod;
import io.millrace.model.policy.QuotaTerms;
import io.millrace.quota.domain.QuotaRequests;
import io.millrace.yaml.MarkedYaml;
import java.math.BigInteger;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/** Reads the figures behind the holders of a quota file. */
final class QuotaYaml {

    private static final Set<String> TERMS = Set.of("cores", "gpus", "mayBorrow", "mayLend", "periods");
    private static final Set<String> PERIOD = Set.of("from", "until", "cores", "gpus");

    private final MarkedYaml yaml;
    private final String expected;

    /** @param expected what stands in such a file, for messages */
    QuotaYaml(final MarkedYaml yaml, final String expected) {
        this.yaml = yaml;
        this.expected = expected;
    }

    /** What stands behind a holder: a number of cores, or a mapping with more. */
    record Figures(int cores, QuotaTerms terms) {}

    Figures figures(final Node node) {
        if (!(node instanceof MappingNode)) {
            return new Figures(number(node, "cores"), QuotaTerms.NONE);
        }
        final Map<String, Node> said = fields(node, TERMS);
        final Node periods = said.get("periods");
        final List<QuotaPeriod> planned = periods == null
                ? List.of()
                : yaml.items(periods).stream().map(this::period).toList();
        return new Figures(
                number(required(said, "cores", node), "cores"),
                yaml.checked(
                        periods == null ? node : periods,
                        () -> new QuotaTerms(
                                optional(said, "gpus"),
                                optional(said, "mayBorrow"),
                                optional(said, "mayLend"),
                                planned)));
    }

    private QuotaPeriod period(final Node node) {
        final Map<String, Node> said = fields(node, PERIOD);
        final Instant from = instant(required(said, "from", node));
        final Instant until = instant(required(said, "until", node));
        final int cores = number(required(said, "cores", node), "cores");
        return yaml.checked(node, () -> new QuotaPeriod(from, until, cores, optional(said, "gpus")));
    }

    private Map<String, Node> fields(final Node node, final Set<String> known) {
        final Map<String, Node> fields = new LinkedHashMap<>();
        for (final NodeTuple field : yaml.mapping(node, expected)) {
            final String name = text(field.getKeyNode());
            if (!known.contains(name)) {
                throw yaml.wrong(
                        field.getKeyNode(),
                        "'" + name + "' is not known here; expected "
                                + known.stream().sorted().toList());
            }
            if (fields.put(name, field.getValueNode()) != null) {
                throw yaml.wrong(field.getKeyNode(), "'" + name + "' stands here twice");
            }
        }
        return fields;
    }

    private Node required(final Map<String, Node> said, final String name, final Node within) {
        final Node node = said.get(name);
        if (node == null) {
            throw yaml.wrong(within, "'" + name + "' is missing");
        }
        return node;
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
        if (number.compareTo(BigInteger.valueOf(QuotaRequests.MOST)) > 0) {
            throw yaml.wrong(
                    node, number + " " + what + " are more than any centre has (at most " + QuotaRequests.MOST + ")");
        }
        return number.intValueExact();
    }

    private Instant instant(final Node node) {
        try {
            return OffsetDateTime.parse(text(node)).toInstant();
        } catch (final DateTimeParseException e) {
            throw yaml.wrong(node, "'" + text(node) + "' is no time with its zone, such as 2026-03-09T00:00:00+01:00");
        }
    }

    private String text(final Node node) {
        return yaml.text(node, expected);
    }
}
