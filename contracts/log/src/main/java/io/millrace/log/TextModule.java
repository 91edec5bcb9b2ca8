package io.millrace.log;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.Version;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.deser.Deserializers;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.ser.Serializers;
import com.fasterxml.jackson.databind.ser.std.StdKeySerializers;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/** Identifiers and times are plain strings, as values and as map keys: written by {@code toString()}, read back by their factory. */
final class TextModule extends Module {

    @Override
    public String getModuleName() {
        return "millrace-texts";
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public void setupModule(final SetupContext context) {
        context.addSerializers(new Serializers.Base() {
            @Override
            public @Nullable JsonSerializer<?> findSerializer(
                    final SerializationConfig config, final JavaType type, final BeanDescription bean) {
                return isText(type) ? ToStringSerializer.instance : null;
            }
        });
        context.addKeySerializers(new Serializers.Base() {
            @Override
            public @Nullable JsonSerializer<?> findSerializer(
                    final SerializationConfig config, final JavaType type, final BeanDescription bean) {
                return isText(type) ? StdKeySerializers.getDefault() : null;
            }
        });
        context.addDeserializers(new Deserializers.Base() {
            @Override
            public @Nullable JsonDeserializer<?> findBeanDeserializer(
                    final JavaType type, final DeserializationConfig config, final BeanDescription bean) {
                return ModelTypes.text(type.getRawClass())
                        .map(of -> new FromText(type.getRawClass(), of))
                        .orElse(null);
            }
        });
        context.addKeyDeserializers((type, config, bean) -> ModelTypes.text(type.getRawClass())
                .map(of -> keyFromText(type.getRawClass(), of))
                .orElse(null));
    }

    private static boolean isText(final JavaType type) {
        return ModelTypes.text(type.getRawClass()).isPresent();
    }

    private static KeyDeserializer keyFromText(final Class<?> type, final MethodHandle of) {
        return new KeyDeserializer() {
            @Override
            public Object deserializeKey(final String key, final DeserializationContext context) throws IOException {
                try {
                    return of.invoke(key);
                } catch (final RuntimeException e) {
                    return context.handleWeirdKey(type, key, "%s", e.getMessage());
                } catch (final Throwable e) {
                    throw new IOException(e);
                }
            }
        };
    }

    private static final class FromText extends StdScalarDeserializer<Object> {

        private static final long serialVersionUID = 1L;

        private final transient MethodHandle of;

        FromText(final Class<?> type, final MethodHandle of) {
            super(type);
            this.of = of;
        }

        @Override
        public Object deserialize(final JsonParser parser, final DeserializationContext context) throws IOException {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                return context.handleUnexpectedToken(_valueClass, parser);
            }
            final String text = parser.getText();
            try {
                return of.invoke(text);
            } catch (final RuntimeException e) {
                return context.handleWeirdStringValue(_valueClass, text, "%s", e.getMessage());
            } catch (final Throwable e) {
                throw new IOException(e);
            }
        }
    }
}
