package io.chunkroll.job;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.chunkroll.rows.Tuple;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** What the modules may know of each other. */
@AnalyzeClasses(packages = "io.chunkroll", importOptions = DoNotIncludeTests.class)
final class ArchitectureTest {
    @ArchTest
    static final ArchRule sourcesDoNotKnowSinks = noClasses()
            .that()
            .resideInAPackage("..sources..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..sinks..");

    @ArchTest
    static final ArchRule sinksDoNotKnowSources = noClasses()
            .that()
            .resideInAPackage("..sinks..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("..sources..");

    @ArchTest
    static final ArchRule onlyTheJobJoins = noClasses()
            .that()
            .resideOutsideOfPackage("io.chunkroll.job..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.chunkroll.job..");

    @ArchTest
    static final ArchRule rowsKnowNobody = noClasses()
            .that()
            .resideInAPackage("io.chunkroll.rows..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.chunkroll.server..", "io.chunkroll.sources..", "io.chunkroll.sinks..");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.chunkroll.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule theRowsWayNeedsNoLoggerOfItsOwnKind = noClasses()
            .that()
            .resideInAnyPackage("io.chunkroll.rows..", "io.chunkroll.sources..", "io.chunkroll.sinks..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.logging..");

    /** Rows cross operators by a serializer written here; generic types are switched off in {@code Pipeline}. */
    @ArchTest
    static final ArchRule tuplesAreNotSerializedByJava =
            classes().that().areAssignableTo(Tuple.class).should().notImplement(java.io.Serializable.class);

    @ArchTest
    static final ArchRule serializersBelongToRows =
            classes().that().areAssignableTo(TypeSerializer.class).should().resideInAPackage("io.chunkroll.rows..");
}
