package io.millrace.docs;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The settings of all services as a page of the guide, generated from the {@code @ConfigMapping} interfaces and their Javadoc. */
final class SettingsReference {

    private static final String HEADER = """
        # Settings

        This page lists the settings of each service. It is generated from the sources by
        `./mvnw -pl deploy/docs test -Dtest=SettingsReferenceTest -Dregenerate`.

        Set a value as an environment variable, as a system property (`-Dkey=value`), or in `config/application.properties` in the
        working directory of the service. Durations are written as `30s`, `5m`, `12h` or `7d`.
        """;

    /** One setting: a row of the table. */
    private record Setting(String key, String type, String defaultValue, String meaning) {

        String environmentVariable() {
            return key.replaceAll("[^A-Za-z0-9]", "_").toUpperCase(Locale.ROOT);
        }

        String row() {
            return "| `%s` | `%s` | %s | %s | %s |"
                    .formatted(
                            key,
                            environmentVariable(),
                            type,
                            defaultValue.isEmpty() ? "" : "`" + defaultValue + "`",
                            meaning.replace("|", "\\|"));
        }
    }

    private final DocTrees docs;
    private final List<CompilationUnitTree> units = new ArrayList<>();

    private SettingsReference(final List<Path> sources) {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        final JavacTask task = (JavacTask) compiler.getTask(
                null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(sources));
        docs = DocTrees.instance(task);
        try {
            task.parse().forEach(units::add);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The page as Markdown. */
    static String page() {
        final List<Path> sources =
                SourceTree.files(path -> path.contains("/src/main/java/") && path.endsWith(".java")).stream()
                        .filter(file -> SourceTree.read(file).contains("\n@ConfigMapping("))
                        .toList();
        return new SettingsReference(sources).render();
    }

    private String render() {
        final TreeMap<String, List<Setting>> byPrefix = new TreeMap<>();
        for (final CompilationUnitTree unit : units) {
            for (final Tree tree : unit.getTypeDecls()) {
                if (tree instanceof ClassTree type
                        && value(type.getModifiers(), "ConfigMapping").isPresent()) {
                    final String prefix =
                            value(type.getModifiers(), "ConfigMapping").get();
                    // Several services map the same prefix, for example the broker's.
                    final List<Setting> known = byPrefix.computeIfAbsent(prefix, p -> new ArrayList<>());
                    final Set<String> keys = known.stream().map(Setting::key).collect(Collectors.toSet());
                    settings(unit, TreePath.getPath(unit, type), type, prefix).stream()
                            .filter(setting -> !keys.contains(setting.key()))
                            .forEach(known::add);
                }
            }
        }
        final StringBuilder page = new StringBuilder(HEADER);
        byPrefix.forEach((prefix, settings) -> {
            page.append("\n## `").append(prefix).append("`\n\n");
            page.append("| key | environment variable | type | default | meaning |\n| --- | --- | --- | --- | --- |\n");
            settings.forEach(setting -> page.append(setting.row()).append('\n'));
        });
        return page.toString();
    }

    private List<Setting> settings(
            final CompilationUnitTree unit, final TreePath path, final ClassTree type, final String prefix) {
        final List<Setting> settings = new ArrayList<>();
        for (final Tree member : type.getMembers()) {
            if (!(member instanceof MethodTree method) || !isSetting(method)) {
                continue;
            }
            final String name = value(method.getModifiers(), "WithName")
                    .orElse(kebab(method.getName().toString()));
            final String key = has(method.getModifiers(), "WithParentName") ? prefix : prefix + "." + name;
            final Optional<ClassTree> group =
                    nested(type, method.getReturnType().toString());
            if (group.isPresent()) {
                settings.addAll(settings(unit, new TreePath(path, group.get()), group.get(), key));
            } else {
                settings.add(new Setting(
                        isMap(method) ? key + ".\"name\"" : key,
                        type(method.getReturnType().toString()),
                        value(method.getModifiers(), "WithDefault").orElse(""),
                        meaning(new TreePath(path, method))));
            }
        }
        return settings;
    }

    private static boolean isSetting(final MethodTree method) {
        return method.getBody() == null
                && method.getParameters().isEmpty()
                && !method.getModifiers().getFlags().contains(Modifier.STATIC);
    }

    private static boolean isMap(final MethodTree method) {
        return method.getReturnType().toString().startsWith("Map<");
    }

    private static Optional<ClassTree> nested(final ClassTree type, final String name) {
        return type.getMembers().stream()
                .filter(member -> member.getKind() == Tree.Kind.INTERFACE)
                .map(ClassTree.class::cast)
                .filter(member -> member.getSimpleName().contentEquals(name))
                .findFirst();
    }

    private static String type(final String written) {
        final String plain = written.replaceAll("^(Optional|Set|List)<(.*)>$", "$2");
        final String name = switch (plain) {
            case "Duration" -> "duration";
            case "int", "long", "short", "OptionalInt", "OptionalLong", "Integer", "Long" -> "whole number";
            case "double", "OptionalDouble" -> "number";
            case "boolean", "Boolean" -> "true or false";
            case "Path" -> "path";
            case "URI" -> "URI";
            case "String" -> "text";
            case "ZoneId" -> "time zone";
            default -> plain.startsWith("Map<") ? "text" : "word";
        };
        return written.startsWith("Set<") || written.startsWith("List<") ? "list of " + name : name;
    }

    private String meaning(final TreePath path) {
        final DocCommentTree comment = docs.getDocCommentTree(path);
        return comment == null
                ? ""
                : comment.getFullBody().stream()
                        .map(Object::toString)
                        .reduce("", String::concat)
                        .replaceAll("\\{@code ((?:[^{}]|\\{[^{}]*\\})*)\\}", "`$1`")
                        .replaceAll("\\{@\\w+ ([^}]*)\\}", "`$1`")
                        .replaceAll("</?(?:p|ul|ol|li|b|i|em)>", " ")
                        .replaceAll("\\s+", " ")
                        .strip();
    }

    private static boolean has(final ModifiersTree modifiers, final String annotation) {
        return annotations(modifiers, annotation).findAny().isPresent();
    }

    private static Stream<? extends AnnotationTree> annotations(final ModifiersTree modifiers, final String name) {
        return modifiers.getAnnotations().stream()
                .filter(annotation -> annotation.getAnnotationType().toString().equals(name));
    }

    /** The text in an annotation with one value. */
    private static Optional<String> value(final ModifiersTree modifiers, final String annotation) {
        return annotations(modifiers, annotation)
                .flatMap(found -> found.getArguments().stream())
                .map(argument -> argument instanceof AssignmentTree named ? named.getExpression() : argument)
                .filter(LiteralTree.class::isInstance)
                .map(literal -> String.valueOf(((LiteralTree) literal).getValue()))
                .findFirst();
    }

    private static String kebab(final String name) {
        return name.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }
}
