package io.millrace.log;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.Converter;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Writes a set as a list sorted by the text of its elements. */
final class SortedElements implements Converter<Collection<?>, List<?>> {

    private final JavaType element;

    SortedElements(final JavaType element) {
        this.element = element;
    }

    @Override
    public List<?> convert(final Collection<?> set) {
        return set.stream().sorted(Comparator.comparing(String::valueOf)).toList();
    }

    @Override
    public JavaType getInputType(final TypeFactory types) {
        return types.constructCollectionLikeType(Collection.class, element);
    }

    @Override
    public JavaType getOutputType(final TypeFactory types) {
        return types.constructCollectionType(List.class, element);
    }
}
