package io.millrace.testing;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** One value of {@link Sampled}, or all of them in a whole run. */
final class SampledArguments implements ArgumentsProvider {

    @Override
    public Stream<? extends Arguments> provideArguments(ParameterDeclarations parameters, ExtensionContext context) {
        List<String> values = List.of(
                context.getRequiredTestMethod().getAnnotation(Sampled.class).value());
        String test = context.getRequiredTestClass().getName() + "."
                + context.getRequiredTestMethod().getName();
        return (Sample.isWhole()
                        ? values
                        : List.of(values.get(Sample.random(test).nextInt(values.size()))))
                .stream().map(Arguments::of);
    }
}
