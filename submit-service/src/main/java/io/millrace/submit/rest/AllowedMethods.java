package io.millrace.submit.rest;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Any;
import jakarta.enterprise.inject.spi.Bean;
import jakarta.enterprise.inject.spi.BeanManager;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.Path;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The methods of each route, for the header Allow (RFC 9110, 15.5.6), which the framework does not send. */
@ApplicationScoped
class AllowedMethods {

    private final Map<String, TreeSet<String>> byTemplate = new HashMap<>();

    AllowedMethods(final BeanManager beans) {
        beans.getBeans(Object.class, Any.Literal.INSTANCE).stream()
                .map(Bean::getBeanClass)
                .filter(type -> type.isAnnotationPresent(Path.class))
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .forEach(this::add);
    }

    private void add(final Method method) {
        Arrays.stream(method.getAnnotations())
                .map(Annotation::annotationType)
                .flatMap(type -> Stream.ofNullable(type.getAnnotation(HttpMethod.class)))
                .forEach(http -> byTemplate
                        .computeIfAbsent(template(method), template -> new TreeSet<>())
                        .add(http.value()));
    }

    private static String template(final Method method) {
        final Path path = method.getAnnotation(Path.class);
        return method.getDeclaringClass().getAnnotation(Path.class).value() + (path == null ? "" : path.value());
    }

    /** @param path of a request, such as {@code /api/v1/jobs} */
    String of(final String path) {
        final TreeSet<String> allowed = new TreeSet<>();
        byTemplate.forEach((template, methods) -> {
            if (Pattern.matches(template.replaceAll("\\{[^}]*}", "[^/]+"), path)) {
                allowed.addAll(methods);
            }
        });
        return String.join(", ", allowed);
    }
}
