package io.millrace.docs;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Which module may depend on which, by the folders of the modules. */
class ModulesTest {

    private static final String GROUP = "io.millrace";
    /** Folders of what a centre installs, and of what that is built on. */
    private static final String INSTALLED = "contracts/.*|.*-service|cluster-agent/.*|cli";

    private final List<Module> modules = SourceTree.files(path -> path.endsWith("pom.xml")).stream()
            .map(Module::read)
            .toList();
    private final Map<String, String> folders = modules.stream().collect(toMap(Module::artifact, Module::folder));

    /** The laboratory can be removed, and the product still builds. */
    @Test
    void only_the_laboratory_depends_on_the_laboratory() {
        assertThat(folders.values()).anyMatch(folder -> folder.startsWith("lab/"));
        assertThat(modules)
                .filteredOn(module -> !module.folder().startsWith("lab/"))
                .allSatisfy(module -> assertThat(module.dependencies())
                        .extracting(dependency -> folders.get(dependency.artifact()))
                        .as(module.folder())
                        .noneMatch(folder -> folder.startsWith("lab/")));
    }

    @Test
    void what_a_centre_installs_depends_on_contracts_alone() {
        assertThat(modules)
                .filteredOn(module -> module.folder().matches(INSTALLED))
                .hasSizeGreaterThan(15)
                .allSatisfy(module -> assertThat(module.dependencies())
                        .filteredOn(dependency -> !dependency.scope().equals("test"))
                        .extracting(dependency -> folders.get(dependency.artifact()))
                        .as(module.folder())
                        .allMatch(folder -> folder.startsWith("contracts/") || isSameProgram(folder, module.folder())));
    }

    private static boolean isSameProgram(final String folder, final String other) {
        return folder.replaceFirst("/.*", "").equals(other.replaceFirst("/.*", ""));
    }

    /**
     * A module.
     *
     * @param folder from the root, such as {@code contracts/model}
     * @param dependencies those that are modules too
     */
    private record Module(String folder, String artifact, List<Dependency> dependencies) {

        static Module read(final Path pom) {
            final Element project = parse(pom);
            return new Module(
                    SourceTree.ROOT.relativize(pom.getParent()).toString(),
                    text(project, "artifactId"),
                    children(project, "dependencies")
                            .flatMap(all -> children(all, "dependency"))
                            .filter(dependency -> text(dependency, "groupId").equals(GROUP))
                            .map(dependency ->
                                    new Dependency(text(dependency, "artifactId"), text(dependency, "scope")))
                            .toList());
        }

        private static Element parse(final Path pom) {
            try {
                return builder().parse(pom.toFile()).getDocumentElement();
            } catch (final Exception e) {
                throw new IllegalStateException("cannot read " + pom, e);
            }
        }

        private static DocumentBuilder builder() throws ParserConfigurationException {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder();
        }

        /** The text of a child element; empty if the element does not exist. */
        private static String text(final Element parent, final String name) {
            return children(parent, name)
                    .map(Node::getTextContent)
                    .map(String::strip)
                    .findFirst()
                    .orElse("");
        }

        private static Stream<Element> children(final Element parent, final String name) {
            return IntStream.range(0, parent.getChildNodes().getLength())
                    .mapToObj(parent.getChildNodes()::item)
                    .filter(child -> child.getNodeName().equals(name))
                    .map(Element.class::cast);
        }
    }

    /**
     * A dependency on a module.
     *
     * @param scope empty for the default
     */
    private record Dependency(String artifact, String scope) {}
}
