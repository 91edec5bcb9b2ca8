package io.millrace.sitefiles;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.deser.DeserializationProblemHandler;
import com.fasterxml.jackson.databind.deser.ValueInstantiator;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Reads a YAML file into a record. Keys are the components' names in lower-case with hyphens; the record's constructor checks the
 * values. A file with an error is rejected as a whole.
 */
public final class YamlFile {

    private static final ObjectMapper MAPPER = YAMLMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .addModule(new TextTypes())
            .addHandler(new ScalarAsRecord())
            .build();
    private static final LoaderOptions LIMITS = limits();

    private final String name;
    private final @Nullable Node root;

    private YamlFile(final String name, final @Nullable Node root) {
        this.name = name;
        this.root = root;
    }

    /**
     * @param kind what messages call the file, such as {@code budget file}
     * @param type a record; an empty file gives the record without any component set
     * @param convert converts the record; what it rejects is an error of the file
     * @throws IllegalArgumentException if the file cannot be read, can be changed by all users, or has an error; names line and column
     */
    public static <T, R> R read(final String kind, final Path path, final Class<T> type, final Function<T, R> convert) {
        final String name = kind + " " + path;
        try {
            return parse(name, OwnText.read(name, path), type, convert);
        } catch (final IOException e) {
            throw new IllegalArgumentException(name + " cannot be read: " + e, e);
        }
    }

    /** Reads the text of a file; see {@link #read}. */
    public static <T, R> R parse(
            final String name, final String text, final Class<T> type, final Function<T, R> convert) {
        final YamlFile file = new YamlFile(name, compose(name, text));
        final List<InvalidEntryException> duplicates = duplicates(file.root);
        if (!duplicates.isEmpty()) {
            throw file.invalid(duplicates);
        }
        final T content;
        try {
            content = MAPPER.readValue(file.root == null ? "{}" : text, type);
        } catch (final JsonMappingException e) {
            throw file.invalid(e);
        } catch (final JsonProcessingException e) {
            throw new IllegalArgumentException(name + " is not valid YAML: " + e.getOriginalMessage(), e);
        }
        try {
            return convert.apply(content);
        } catch (final IllegalArgumentException e) {
            throw file.invalid(List.of(), e);
        }
    }

    /**
     * Reads the text of a file as {@link #parse(String, String, Class, Function)} does, but reports all errors, one on each line.
     *
     * @param convert converts the record, whose components with an error are not set, and adds the errors that it finds
     */
    public static <T, R> R parseAll(
            final String name, final String text, final Class<T> type, final BiFunction<T, EntryErrors, R> convert) {
        final YamlFile file = new YamlFile(name, compose(name, text));
        final EntryErrors errors = new EntryErrors(duplicates(file.root));
        try {
            final JsonNode tree = MAPPER.readTree(file.root == null ? "{}" : text);
            final T content = errors.bind(tree, type);
            if (!tree.isObject()) {
                errors.check();
            }
            final R result = convert.apply(content, errors);
            errors.check();
            return result;
        } catch (final EntryErrors.FoundException e) {
            throw file.invalid(e.found());
        } catch (final IllegalArgumentException e) {
            throw file.invalid(List.of(), e);
        } catch (final JsonProcessingException e) {
            throw new IllegalArgumentException(name + " is not valid YAML: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * Computes a value from an entry.
     *
     * @param path keys and indexes from the record that is being built down to the entry
     * @throws InvalidEntryException if the value is rejected
     */
    public static <T> T entry(final Supplier<T> value, final String... path) {
        try {
            return value.get();
        } catch (final InvalidEntryException e) {
            throw e;
        } catch (final IllegalArgumentException e) {
            throw new InvalidEntryException(String.valueOf(e.getMessage()), path);
        }
    }

    /** @throws IllegalArgumentException if a required component is not set */
    public static <T> T required(final @Nullable T value, final String key) {
        if (value == null) {
            throw new IllegalArgumentException("'" + key + "' is missing: add it");
        }
        return value;
    }

    private static @Nullable Node compose(final String name, final String text) {
        try {
            return new Yaml(new SafeConstructor(LIMITS)).compose(new StringReader(text));
        } catch (final MarkedYAMLException e) {
            throw new IllegalArgumentException(at(name, e.getProblemMark()) + ": not valid YAML: " + e.getProblem(), e);
        } catch (final YAMLException e) {
            throw new IllegalArgumentException(
                    name + ": not valid YAML: " + e.getMessage()
                            + "; nest less deeply, use printable characters, and repeat a value where an alias of a"
                            + " list or mapping would refer to it",
                    e);
        }
    }

    /**
     * Checks the syntax of a text whose content another component checks.
     *
     * @throws IllegalArgumentException if the text is not valid YAML or has a duplicate key; names line and column
     */
    public static void checkSyntax(final String name, final String text) {
        final YamlFile file = new YamlFile(name, compose(name, text));
        final List<InvalidEntryException> duplicates = duplicates(file.root);
        if (!duplicates.isEmpty()) {
            throw file.invalid(duplicates);
        }
    }

    /** An alias of a list or mapping is refused: it can refer to itself, and a few of them can stand for millions of entries. */
    private static LoaderOptions limits() {
        final LoaderOptions limits = new LoaderOptions();
        limits.setMaxAliasesForCollections(0);
        return limits;
    }

    private static List<InvalidEntryException> duplicates(final @Nullable Node node) {
        final List<InvalidEntryException> found = new ArrayList<>();
        if (node instanceof MappingNode mapping) {
            final Set<String> keys = new HashSet<>();
            for (final NodeTuple entry : mapping.getValue()) {
                if (entry.getKeyNode() instanceof ScalarNode key && !keys.add(key.getValue())) {
                    found.add(new InvalidEntryException(
                            "duplicate key '" + key.getValue() + "': remove one of them",
                            List.of(),
                            true,
                            key.getStartMark()));
                }
                found.addAll(duplicates(entry.getValueNode()));
            }
        } else if (node instanceof SequenceNode sequence) {
            sequence.getValue().forEach(item -> found.addAll(duplicates(item)));
        }
        return found;
    }

    static <T> T bind(final JsonNode tree, final Class<T> type) throws JsonProcessingException {
        return MAPPER.treeToValue(tree, type);
    }

    static List<String> path(final JsonMappingException e) {
        return e.getPath().stream()
                .map(step -> step.getFieldName() == null ? Integer.toString(step.getIndex()) : step.getFieldName())
                .toList();
    }

    static InvalidEntryException invalidEntry(final JsonMappingException e, final List<String> path) {
        return new InvalidEntryException(message(e), path, isAtKey(e), null);
    }

    private static boolean isAtKey(final JsonMappingException e) {
        return e instanceof UnrecognizedPropertyException || e instanceof TextTypes.InvalidKeyException;
    }

    /** In the order of the file. */
    private IllegalArgumentException invalid(final List<InvalidEntryException> all) {
        final List<String> lines = new ArrayList<>();
        all.stream()
                .map(one -> Map.entry(Optional.ofNullable(mark(one)), String.valueOf(one.getMessage())))
                .sorted(Comparator.comparing(
                        one -> one.getKey().map(Mark::getIndex).orElse(0)))
                .forEach(one -> lines.add(at(name, one.getKey().orElse(null)) + ": " + one.getValue()));
        return new IllegalArgumentException(String.join("\n", lines), all.getFirst());
    }

    private IllegalArgumentException invalid(final JsonMappingException e) {
        final List<String> path = path(e);
        if (e instanceof ValueInstantiationException rejected) {
            // Jackson builds the record before it looks at unknown keys; a misspelt key is the better message.
            final List<String> known = keys(rejected.getType());
            for (final String key : keys(path)) {
                if (!known.contains(key)) {
                    return invalid(path, new InvalidEntryException(unknown(key, known), key));
                }
            }
            if (rejected.getCause() instanceof IllegalArgumentException cause) {
                return invalid(path, cause);
            }
        }
        return new IllegalArgumentException(at(name, mark(path, isAtKey(e))) + ": " + message(e), e);
    }

    private IllegalArgumentException invalid(final List<String> path, final IllegalArgumentException rejected) {
        final List<String> whole = new ArrayList<>(path);
        final boolean atKey = rejected instanceof InvalidEntryException;
        if (rejected instanceof InvalidEntryException entry) {
            whole.addAll(entry.path());
        }
        return new IllegalArgumentException(at(name, mark(whole, atKey)) + ": " + rejected.getMessage(), rejected);
    }

    private static String message(final JsonMappingException e) {
        return switch (e) {
            case UnrecognizedPropertyException unknown ->
                unknown(unknown.getPropertyName(), keys(MAPPER.constructType(unknown.getReferringClass())));
            case MismatchedInputException other
            when other.getTargetType() != null -> expected(MAPPER.constructType(other.getTargetType()));
            default -> e.getOriginalMessage();
        };
    }

    private static String unknown(final String key, final List<String> known) {
        return "'" + key + "' is not a known key; expected " + String.join(", ", known);
    }

    private static String expected(final JavaType type) {
        if (type.isMapLikeType()) {
            return "expected a mapping: { key: value, … }";
        }
        if (type.isContainerType()) {
            return "expected a list: [ … ]";
        }
        return type.isRecordType()
                ? "expected a mapping with the keys " + String.join(", ", keys(type))
                : "expected a single value";
    }

    /** The keys of a record, in the order of its components. */
    private static List<String> keys(final JavaType type) {
        return MAPPER.getDeserializationConfig().introspect(type).findProperties().stream()
                .map(BeanPropertyDefinition::getName)
                .toList();
    }

    /** The keys of the mapping at this path; none if it is not one. */
    private List<String> keys(final List<String> path) {
        @Nullable Node node = root;
        for (final String step : path) {
            final NodeTuple next = node == null ? null : child(node, step);
            node = next == null ? null : next.getValueNode();
        }
        return node instanceof MappingNode mapping
                ? mapping.getValue().stream()
                        .map(NodeTuple::getKeyNode)
                        .filter(ScalarNode.class::isInstance)
                        .map(key -> ((ScalarNode) key).getValue())
                        .toList()
                : List.of();
    }

    private @Nullable Mark mark(final InvalidEntryException error) {
        return error.mark() == null ? mark(error.path(), error.isAtKey()) : error.mark();
    }

    /** Where an entry begins; as far down the path as the file has it. */
    private @Nullable Mark mark(final List<String> path, final boolean atKey) {
        if (root == null) {
            return null;
        }
        Node key = root;
        Node value = root;
        for (final String step : path) {
            final NodeTuple next = child(value, step);
            if (next == null) {
                return value.getStartMark();
            }
            key = next.getKeyNode();
            value = next.getValueNode();
        }
        return (atKey ? key : value).getStartMark();
    }

    private static @Nullable NodeTuple child(final Node node, final String step) {
        if (node instanceof SequenceNode sequence && step.matches("\\d+")) {
            final Node item = sequence.getValue().get(Integer.parseInt(step));
            return new NodeTuple(item, item);
        }
        return node instanceof MappingNode mapping
                ? mapping.getValue().stream()
                        .filter(entry -> entry.getKeyNode() instanceof ScalarNode key
                                && key.getValue().equals(step))
                        .findFirst()
                        .orElse(null)
                : null;
    }

    private static String at(final String name, final @Nullable Mark mark) {
        return mark == null ? name : name + ", line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
    }

    /** Binds a single value to the first component of a record with {@link Shorthand}. */
    private static final class ScalarAsRecord extends DeserializationProblemHandler {
        @Override
        public Object handleMissingInstantiator(
                final DeserializationContext context,
                final Class<?> type,
                final @Nullable ValueInstantiator instantiator,
                final JsonParser parser,
                final @Nullable String message)
                throws IOException {
            if (!type.isAnnotationPresent(Shorthand.class)
                    || !parser.currentToken().isScalarValue()) {
                return NOT_HANDLED;
            }
            final String first = context.getConfig()
                    .introspect(context.constructType(type))
                    .findProperties()
                    .getFirst()
                    .getName();
            return context.readTreeAsValue(context.getNodeFactory().objectNode().put(first, parser.getText()), type);
        }
    }
}
