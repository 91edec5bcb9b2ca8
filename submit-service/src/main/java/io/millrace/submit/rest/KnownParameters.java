package io.millrace.submit.rest;

import io.millrace.model.NearestName;
import io.millrace.model.Text;
import io.millrace.submit.domain.RequestRefused;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.container.ResourceInfo;
import jakarta.ws.rs.core.UriInfo;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Refuses query parameters that the route does not have, because a misspelt filter would otherwise return too much, and values with
 * control characters.
 */
class KnownParameters {

    private final Map<Method, Set<String>> known = new ConcurrentHashMap<>();

    @ServerRequestFilter
    void check(final ResourceInfo route, final UriInfo uri) {
        requirePlain(uri.getPathParameters());
        requirePlain(uri.getQueryParameters());
        final Set<String> sent = uri.getQueryParameters().keySet();
        if (sent.isEmpty()) {
            return;
        }
        final Set<String> names = known.computeIfAbsent(route.getResourceMethod(), KnownParameters::names);
        for (final String name : sent) {
            if (!names.contains(name)) {
                throw RequestRefused.malformed(Text.escaped(name), reason(name, names));
            }
        }
    }

    private static void requirePlain(final Map<String, List<String>> parameters) {
        parameters.forEach((name, values) -> values.stream()
                .filter(value -> !Text.isPlain(value))
                .findFirst()
                .ifPresent(value -> {
                    throw RequestRefused.malformed(Text.escaped(name), Text.fault(value));
                }));
    }

    private static String reason(final String unknown, final Set<String> known) {
        if (known.isEmpty()) {
            return "is not a known parameter; this route has no query parameters";
        }
        return "is not a known parameter"
                + NearestName.of(unknown, known)
                        .map(name -> "; did you mean '" + name + "'?")
                        .orElse(".")
                + " Known parameters: " + String.join(", ", known);
    }

    private static Set<String> names(final Method method) {
        final Set<String> names = new TreeSet<>();
        for (final Parameter parameter : method.getParameters()) {
            add(parameter, names);
            if (parameter.isAnnotationPresent(BeanParam.class)) {
                Arrays.stream(parameter.getType().getDeclaredFields()).forEach(field -> add(field, names));
            }
        }
        return names;
    }

    private static void add(final AnnotatedElement element, final Set<String> names) {
        final QueryParam parameter = element.getAnnotation(QueryParam.class);
        if (parameter != null) {
            names.add(parameter.value());
        }
    }
}
