package io.millrace.log;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.TypeResolverBuilder;
import com.fasterxml.jackson.databind.jsontype.impl.StdTypeResolverBuilder;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.millrace.model.Text;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Replaces Jackson annotations on the model: derives their values from the records themselves. */
final class ModelIntrospector extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    private static final JsonTypeInfo.Value KIND =
            JsonTypeInfo.Value.construct(JsonTypeInfo.Id.NAME, JsonTypeInfo.As.PROPERTY, "kind", null, false, true);

    @Override
    public JsonTypeInfo.@Nullable Value findPolymorphicTypeInfo(final MapperConfig<?> config, final Annotated ann) {
        return ann instanceof AnnotatedClass && ModelTypes.hasKind(ann.getRawType()) ? KIND : null;
    }

    /** What users run and where: it is used as it is. Every other text is shown, compared or logged. */
    private static final Set<String> DATA = Set.of(
            "script",
            "make",
            "words",
            "environment",
            "model",
            "signature",
            "directory",
            "path",
            "pattern",
            "location",
            "stagingRoot",
            "from",
            "to",
            "store",
            "text",
            "value");

    @Override
    public @Nullable TypeResolverBuilder<?> findTypeResolver(
            final MapperConfig<?> config, final AnnotatedClass ac, final JavaType baseType) {
        return ModelTypes.hasKind(ac.getRawType()) ? new StdTypeResolverBuilder(KIND) : null;
    }

    @Override
    public @Nullable List<NamedType> findSubtypes(final Annotated a) {
        if (!ModelTypes.hasKind(a.getRawType())) {
            return null;
        }
        return ModelTypes.variants(a.getRawType())
                .map(variant -> new NamedType(variant, ModelTypes.kind(variant)))
                .collect(Collectors.toList());
    }

    @Override
    public String @Nullable [] findSerializationPropertyOrder(final AnnotatedClass ac) {
        if (!ac.getRawType().isRecord()) {
            return null;
        }
        return Arrays.stream(ac.getRawType().getRecordComponents())
                .map(RecordComponent::getName)
                .toArray(String[]::new);
    }

    @Override
    public JsonInclude.Value findPropertyInclusion(final Annotated a) {
        return JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS);
    }

    @Override
    public @Nullable Boolean hasRequiredMarker(final AnnotatedMember m) {
        return component(m).map(component -> !ModelTypes.isOptional(component)).orElse(null);
    }

    @Override
    public JsonSetter.Value findSetterInfo(final Annotated a) {
        if (!(a instanceof AnnotatedMember member)) {
            return JsonSetter.Value.empty();
        }
        return component(member)
                .map(component -> JsonSetter.Value.construct(
                        ModelTypes.isOptional(component) ? Nulls.SET : Nulls.FAIL, Nulls.FAIL))
                .orElse(JsonSetter.Value.empty());
    }

    /** Sets have no order; they are written sorted, so that equal events have equal bytes. */
    @Override
    public @Nullable Object findSerializationConverter(final Annotated a) {
        if (!(a instanceof AnnotatedMember member) || member.getRawType() != Set.class) {
            return null;
        }
        return new SortedElements(member.getType().getContentType());
    }

    /** Other tools and agents write texts that this service did not check. */
    @Override
    public @Nullable Object findDeserializationConverter(final Annotated a) {
        return isShown(a) && a.getRawType() == String.class ? new PlainText() : null;
    }

    @Override
    public @Nullable Object findDeserializationContentConverter(final AnnotatedMember a) {
        return isShown(a)
                        && a.getType().isCollectionLikeType()
                        && a.getType().getContentType().hasRawClass(String.class)
                ? new PlainText()
                : null;
    }

    private static boolean isShown(final Annotated a) {
        return a instanceof AnnotatedMember member
                && component(member)
                        .filter(component -> !DATA.contains(component.getName()))
                        .isPresent();
    }

    private static final class PlainText extends StdConverter<String, String> {
        @Override
        public String convert(final String text) {
            return Text.escaped(text);
        }
    }

    private static Optional<RecordComponent> component(final AnnotatedMember m) {
        if (m instanceof AnnotatedParameter parameter) {
            final RecordComponent[] components = m.getDeclaringClass().getRecordComponents();
            return components != null && parameter.getOwner().getParameterCount() == components.length
                    ? Optional.of(components[parameter.getIndex()])
                    : Optional.empty();
        }
        return ModelTypes.component(m.getDeclaringClass(), m.getName());
    }
}
