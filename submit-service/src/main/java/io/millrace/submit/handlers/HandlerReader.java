package io.millrace.submit.handlers;

import io.millrace.model.ClusterId;
import io.millrace.model.UserName;
import io.millrace.model.protocol.EventType;
import io.millrace.submit.domain.handler.EventFilter;
import io.millrace.submit.domain.handler.Handler;
import io.millrace.submit.domain.handler.DeliveryRetries;
import io.millrace.submit.domain.handler.DeliveryRetries.OnFailure;
import io.millrace.submit.domain.handler.HandlerTarget;
import io.millrace.submit.domain.handler.HandlerTarget.Mode;
import io.millrace.submit.domain.handler.HandlerTarget.Secret;
import io.millrace.yaml.Figures;
import io.millrace.yaml.MarkedYaml;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;

/** Reads one handler of the file. */
final class HandlerReader {

    private static final Set<String> FOR_ALL = Set.of(
            "events",
            "users",
            "clusters",
            "from",
            "parallel",
            "timeout",
            "attempts",
            "initial-backoff",
            "max-backoff",
            "on-failure");
    private static final Set<String> FOR_WEBHOOKS =
            Set.of("webhook", "secret-file", "secret-variable", "mode", "authority-file");
    private static final Set<String> FOR_PROGRAMS = Set.of("program", "user");
    private static final Duration LONGEST_LIMIT = Duration.ofHours(1);

    private final MarkedYaml yaml;
    private final Node whole;
    private final Map<String, Node> values = new HashMap<>();

    HandlerReader(final MarkedYaml yaml, final Node whole) {
        this.yaml = yaml;
        this.whole = whole;
        final String expected = "lines such as 'webhook: https://…' and 'events: [millrace.run.ended.v1]'";
        for (final NodeTuple line : yaml.entries(whole, expected)) {
            values.put(yaml.text(line.getKeyNode(), expected), line.getValueNode());
        }
    }

    Handler read(final String name, final Node at) {
        final boolean webhook = values.containsKey("webhook");
        if (webhook == values.containsKey("program")) {
            throw yaml.wrong(at, "handler '" + name + "' needs either 'webhook' or 'program'");
        }
        requireKnown(webhook);
        final HandlerTarget target = webhook ? webhook() : program();
        final EventFilter filter = filter();
        final DeliveryRetries retries = yaml.checked(
                whole,
                () -> new DeliveryRetries(
                        read("attempts", Figures::whole, 12),
                        read("initial-backoff", Figures::span, Duration.ofSeconds(1)),
                        read("max-backoff", Figures::span, Duration.ofMinutes(5)),
                        read("on-failure", word(OnFailure.class), OnFailure.DEAD_LETTER)));
        final boolean fromBeginning = read("from", HandlerReader::fromBeginning, false);
        final int parallel = read("parallel", Figures::whole, 1);
        return yaml.checked(at, () -> new Handler(name, target, filter, retries, fromBeginning, parallel));
    }

    private void requireKnown(final boolean webhook) {
        final Set<String> known = new HashSet<>(FOR_ALL);
        known.addAll(webhook ? FOR_WEBHOOKS : FOR_PROGRAMS);
        for (final NodeTuple line : yaml.mapping(whole, "")) {
            final String key = yaml.text(line.getKeyNode(), "");
            if (!known.contains(key)) {
                throw yaml.wrong(
                        line.getKeyNode(),
                        "a " + (webhook ? "webhook" : "program") + " has no '" + key + "'; it may have "
                                + known.stream().sorted().collect(Collectors.joining(", ")));
            }
        }
    }

    private HandlerTarget.Webhook webhook() {
        final Node address = need("webhook");
        final Secret secret = secret();
        final Mode mode = read("mode", word(Mode.class), Mode.BINARY);
        final Duration limit = limit(Duration.ofSeconds(10));
        final @Nullable Path authorities = values.containsKey("authority-file")
                ? value("authority-file", text -> wholePath("authority-file", text))
                : null;
        return yaml.checked(address, () -> new HandlerTarget.Webhook(uri(address), secret, mode, limit, authorities));
    }

    /** Relative to what would depend on where the service was started. */
    private static Path wholePath(final String key, final String text) {
        final Path path = Path.of(text);
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException("'" + key + "' must be a whole path, got '" + text + "'");
        }
        return path;
    }

    /** Without the parser's own message, which repeats the address and whatever key its query may hold. */
    private URI uri(final Node address) {
        try {
            return new URI(yaml.text(address, "an address"));
        } catch (URISyntaxException e) {
            throw yaml.wrong(
                    address, "this is no address: at its character " + (e.getIndex() + 1) + " " + e.getReason());
        }
    }

    private Secret secret() {
        final boolean file = values.containsKey("secret-file");
        if (file == values.containsKey("secret-variable")) {
            throw yaml.wrong(
                    need("webhook"),
                    "a webhook's requests are signed: say with either 'secret-file' or 'secret-variable' where its secret is");
        }
        return file
                ? new Secret.InFile(value("secret-file", text -> wholePath("secret-file", text)))
                : new Secret.InVariable(value("secret-variable", Function.identity()));
    }

    private HandlerTarget.Program program() {
        final Node node = need("program");
        final List<String> argv =
                yaml.items(node).stream().map(word -> yaml.text(word, "a word")).toList();
        final String user = values.containsKey("user") ? value("user", HandlerReader::account) : null;
        final Duration limit = limit(Duration.ofSeconds(30));
        return yaml.checked(node, () -> new HandlerTarget.Program(argv, user, limit));
    }

    private static String account(final String text) {
        return UserName.of(text).value();
    }

    private Duration limit(final Duration byDefault) {
        final Duration limit = read("timeout", Figures::span, byDefault);
        if (limit.isZero() || limit.compareTo(LONGEST_LIMIT) > 0) {
            throw yaml.wrong(need("timeout"), "'timeout' must be above zero and at most 1h");
        }
        return limit;
    }

    private EventFilter filter() {
        final Node events = need("events");
        final Set<EventType> types = EnumSet.noneOf(EventType.class);
        for (final Node word : yaml.items(events)) {
            types.addAll(yaml.checked(word, () -> EventFilter.types(yaml.text(word, "an event type"))));
        }
        final Set<UserName> users = names("users", UserName::of);
        final Set<ClusterId> clusters = names("clusters", ClusterId::of);
        return yaml.checked(events, () -> new EventFilter(types, users, clusters));
    }

    private <T> Set<T> names(final String key, final Function<String, T> reader) {
        final Node node = values.get(key);
        if (node == null) {
            return Set.of();
        }
        final Set<T> names = new HashSet<>();
        yaml.items(node).forEach(name -> names.add(yaml.checked(name, () -> reader.apply(yaml.text(name, "a name")))));
        if (names.isEmpty()) {
            throw yaml.wrong(node, "'" + key + "' is empty: leave it out to mean all");
        }
        return names;
    }

    private static boolean fromBeginning(final String word) {
        return switch (word) {
            case "now" -> false;
            case "beginning" -> true;
            default -> throw new IllegalArgumentException("'from' is 'now' or 'beginning', got '" + word + "'");
        };
    }

    private static <E extends Enum<E>> Function<String, E> word(final Class<E> type) {
        final Function<E, String> name =
                value -> value.name().toLowerCase(Locale.ROOT).replace('_', '-');
        return word -> Arrays.stream(type.getEnumConstants())
                .filter(value -> name.apply(value).equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is none of "
                        + Arrays.stream(type.getEnumConstants()).map(name).collect(Collectors.joining(", "))));
    }

    private <T> T read(final String key, final Function<String, T> reader, final T byDefault) {
        return values.containsKey(key) ? value(key, reader) : byDefault;
    }

    private <T> T value(final String key, final Function<String, T> reader) {
        final Node node = need(key);
        return yaml.checked(node, () -> reader.apply(yaml.text(node, "a value for '" + key + "'")));
    }

    private Node need(final String key) {
        final @Nullable Node node = values.get(key);
        if (node == null) {
            throw yaml.wrong(whole, "'" + key + "' is missing");
        }
        return node;
    }
}
