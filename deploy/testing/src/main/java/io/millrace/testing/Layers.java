package io.millrace.testing;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;

/** The layering rules of every service. A service does not need to have every layer. */
public final class Layers {
    private static final String TRANSACTIONAL = "jakarta.transaction.Transactional";

    private Layers() {}

    /**
     * Checks the rules on the compiled classes below {@code service}, without tests.
     *
     * @param service the service's root package, such as {@code io.millrace.quota}
     * @throws AssertionError naming each class that breaks a rule
     */
    public static void check(String service) {
        JavaClasses code = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages(service);
        check(service, code);
    }

    /** Checks the same rules, and that the fields of all classes in {@code domain.plan} are final, so that a plan keeps nothing for the next one. */
    public static void checkWithPlans(String service) {
        check(service);
        checkPlans(
                service,
                new ClassFileImporter()
                        .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                        .importPackages(service + ".domain.plan"));
    }

    static void checkPlans(String service, JavaClasses code) {
        plansKeepNoState(service).check(code);
    }

    static void check(String service, JavaClasses code) {
        rules(service).forEach(rule -> rule.allowEmptyShould(true).check(code));
    }

    private static List<ArchRule> rules(String service) {
        return List.of(
                domainDependsOnlyOnTheJdkAndContracts(service),
                onlyStoreUsesHibernate(service),
                onlyKafkaPackageUsesKafka(service),
                layersAreNotTransactional(service),
                layersHaveNoTransactionalMethods(service),
                layersBeginNoTransactions(service));
    }

    private static ArchRule domainDependsOnlyOnTheJdkAndContracts(String service) {
        return classes()
                .that(resideInAPackage(service + ".domain.."))
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        service + ".domain..",
                        "io.millrace.model..",
                        "io.millrace.decide..",
                        "io.millrace.script..",
                        "java..",
                        "org.jspecify..",
                        "org.eclipse.microprofile.openapi.annotations.."))
                .because("domain depends only on the JDK and contracts, because the simulator runs it without anything"
                        + " else; annotations that describe REST need no library at run time");
    }

    private static ArchRule plansKeepNoState(String service) {
        return fields().that()
                .areDeclaredInClassesThat(resideInAPackage(service + ".domain.plan.."))
                .should()
                .beFinal()
                .because("a pass plans from scratch and keeps nothing for the next one");
    }

    private static ArchRule onlyStoreUsesHibernate(String service) {
        return noClasses()
                .that(not(resideInAPackage(service + ".store..")))
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage("org.hibernate..", "io.quarkus.hibernate..", "jakarta.persistence.."))
                .because("only store knows Hibernate");
    }

    private static ArchRule onlyKafkaPackageUsesKafka(String service) {
        return noClasses()
                .that(not(resideInAPackage(service + ".kafka..")))
                .should()
                .dependOnClassesThat(resideInAnyPackage(
                        "org.apache.kafka..",
                        "io.millrace.log..",
                        "io.millrace.service..",
                        "org.eclipse.microprofile.reactive.messaging..",
                        "io.smallrye.reactive.messaging.."))
                .because("only kafka knows Kafka");
    }

    private static ArchRule layersAreNotTransactional(String service) {
        return noClasses()
                .that(resideInALayer(service))
                .should()
                .beAnnotatedWith(TRANSACTIONAL)
                .because("only use cases open transactions");
    }

    private static ArchRule layersHaveNoTransactionalMethods(String service) {
        return methods()
                .that()
                .areDeclaredInClassesThat(resideInALayer(service))
                .should()
                .notBeAnnotatedWith(TRANSACTIONAL)
                .because("only use cases open transactions");
    }

    /** Includes producer transactions: use cases do not depend on Kafka, so only the deciding loop opens them. */
    private static ArchRule layersBeginNoTransactions(String service) {
        return noClasses()
                .that(resideInALayer(service))
                .should()
                .callMethod("org.apache.kafka.clients.producer.Producer", "beginTransaction")
                .orShould()
                .callMethod("org.apache.kafka.clients.producer.KafkaProducer", "beginTransaction")
                .orShould()
                .callMethod("jakarta.transaction.UserTransaction", "begin")
                .orShould()
                .dependOnClassesThat()
                .resideInAPackage("io.quarkus.narayana..")
                .because("only use cases open transactions");
    }

    /** Use cases are at the root of a service, or in packages named after their subject. */
    private static DescribedPredicate<JavaClass> resideInALayer(String service) {
        return resideInAnyPackage(
                service + ".domain..", service + ".kafka..", service + ".rest..", service + ".store..");
    }
}
