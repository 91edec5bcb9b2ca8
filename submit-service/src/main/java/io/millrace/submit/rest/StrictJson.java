package io.millrace.submit.rest;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.InputCoercionException;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.millrace.model.NearestName;
import io.millrace.model.Text;
import io.millrace.submit.domain.RequestRefused;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.ext.MessageBodyReader;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads request bodies of at most 1 MiB. Unknown fields, duplicate fields, content after the end, and texts with control characters are
 * refused.
 */
@Provider
@Consumes(MediaType.APPLICATION_JSON)
public class StrictJson implements MessageBodyReader<Object> {

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
            .addModule(new SimpleModule().addDeserializer(String.class, new PlainText(null)))
            .build();

    @Override
    public boolean isReadable(
            final Class<?> type, final Type generic, final Annotation[] annotations, final MediaType mediaType) {
        return type.isRecord();
    }

    /** @return null for an empty body */
    @Override
    public @Nullable Object readFrom(
            final Class<Object> type,
            final Type generic,
            final Annotation[] annotations,
            final MediaType mediaType,
            final MultivaluedMap<String, String> headers,
            final InputStream body)
            throws IOException {
        final byte[] bytes = body.readNBytes(BodySizeLimit.LIMIT + 1);
        if (bytes.length > BodySizeLimit.LIMIT) {
            throw BodySizeLimit.REFUSED;
        }
        return bytes.length == 0 ? null : read(type, bytes);
    }

    /** @throws RequestRefused if the text is not such an object */
    public static <T> T read(final Class<T> type, final byte[] bytes) throws IOException {
        try (JsonParser parser = MAPPER.createParser(bytes)) {
            final T value = MAPPER.readerFor(type).readValue(parser);
            if (value == null) {
                throw new RequestRefused(RequestRefused.Kind.MALFORMED, "the body is 'null'; send a JSON object");
            }
            return value;
        } catch (NotPlainException e) {
            throw RequestRefused.invalid(path(e), e.getOriginalMessage());
        } catch (UnrecognizedPropertyException e) {
            throw RequestRefused.invalid(path(e), unknown(e));
        } catch (JsonMappingException e) {
            throw e.getPath().isEmpty()
                    ? malformed(e)
                    : RequestRefused.invalid(List.of(new RequestRefused.Field(path(e), expected(e))));
        } catch (JsonProcessingException e) {
            throw malformed(e);
        }
    }

    private static String unknown(final UnrecognizedPropertyException e) {
        final List<String> known =
                e.getKnownPropertyIds().stream().map(String::valueOf).sorted().toList();
        return "is not a known field"
                + NearestName.of(e.getPropertyName(), known)
                        .map(name -> "; did you mean '" + name + "'?")
                        .orElse(".")
                + " Known fields: " + String.join(", ", known);
    }

    private static String expected(final JsonMappingException e) {
        final Class<?> type = targetType(e);
        if (type == null) {
            return "has the wrong type or format";
        }
        if (type == Long.class || type == Integer.class || type.isPrimitive() && type != boolean.class) {
            return "must be a whole number" + (type == Long.class || type == long.class ? "" : " below 2147483648");
        }
        if (type == Boolean.class || type == boolean.class) {
            return "must be true or false";
        }
        if (type == String.class) {
            return "must be a string";
        }
        return Collection.class.isAssignableFrom(type) ? "must be a list" : "must be an object";
    }

    private static @Nullable Class<?> targetType(final JsonMappingException e) {
        if (e instanceof MismatchedInputException mismatch) {
            return mismatch.getTargetType();
        }
        return e.getCause() instanceof InputCoercionException tooLarge ? tooLarge.getTargetType() : null;
    }

    private static RequestRefused malformed(final JsonProcessingException e) {
        return new RequestRefused(
                RequestRefused.Kind.MALFORMED,
                "the body is not a valid JSON object"
                        + (e instanceof JsonMappingException ? "" : ": " + e.getOriginalMessage()) + where(e));
    }

    private static String where(final JsonProcessingException e) {
        return e.getLocation() == null
                ? ""
                : " (line " + e.getLocation().getLineNr() + ", column "
                        + e.getLocation().getColumnNr() + ")";
    }

    private static String path(final JsonMappingException e) {
        return e.getPath().stream()
                .map(step -> step.getFieldName() == null ? "[" + step.getIndex() + "]" : step.getFieldName())
                .collect(Collectors.joining("."));
    }

    /** Refuses texts that could forge lines of logs or change what a terminal shows, except in what the user runs. */
    private static final class PlainText extends StdScalarDeserializer<String> implements ContextualDeserializer {

        private static final long serialVersionUID = 1L;
        private static final Set<String> DATA = Set.of("script", "make", "environment", "arguments", "model");

        private final @Nullable String field;

        PlainText(final @Nullable String field) {
            super(String.class);
            this.field = field;
        }

        @Override
        public JsonDeserializer<?> createContextual(
                final DeserializationContext context, final @Nullable BeanProperty property) {
            return new PlainText(property == null ? null : property.getName());
        }

        @Override
        public String deserialize(final JsonParser parser, final DeserializationContext context) throws IOException {
            final String text = StringDeserializer.instance.deserialize(parser, context);
            if (text != null && (field == null || !DATA.contains(field)) && !Text.isPlain(text)) {
                throw new NotPlainException(parser, Text.fault(text));
            }
            return text;
        }
    }

    private static final class NotPlainException extends JsonMappingException {

        private static final long serialVersionUID = 1L;

        NotPlainException(final JsonParser parser, final String fault) {
            super(parser, fault);
        }
    }
}
