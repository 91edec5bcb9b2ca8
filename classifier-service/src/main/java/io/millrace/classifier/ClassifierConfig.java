package io.millrace.classifier;

import io.millrace.classifier.domain.ClassModel;
import io.smallrye.config.ConfigMapping;
import java.nio.file.Path;
import java.util.Optional;

/** The settings of classifier-service. */
@ConfigMapping(prefix = "millrace.classifier")
public interface ClassifierConfig {

    /** YAML file with the site's classes; without it the six classes of the ISDCT paper are in force. Read at start. */
    Optional<Path> classFile();

    /** @throws ClassFileException if the file is missing or wrong; the service then does not start */
    default ClassModel model() {
        return classFile().map(ClassFile::read).orElseGet(ClassFile::shipped);
    }
}
