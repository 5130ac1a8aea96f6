package io.chunkroll.job.map;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.InvalidTypesException;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.java.typeutils.TypeExtractor;
import org.apache.flink.types.Row;

/**
 * A user's map function, by its class.
 *
 * @param name the class's full name
 * @param jar where the class is, besides the job's class path
 */
public record MapClass(String name, Optional<Path> jar) {

    /**
     * The class, once it is known to be there and to be a function of rows.
     *
     * @throws IllegalArgumentException with what is wrong with it, as a clause
     */
    public static MapClass of(String name, Optional<Path> jar) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        if (jar.isEmpty()) {
            check(
                    name,
                    loader,
                    "; give the jar that has it as job.map-jar, or on a cluster put it into lib/ or usrlib/");
        } else {
            try (URLClassLoader withJar = new URLClassLoader(new URL[] {url(jar.get())}, loader)) {
                check(name, withJar, ", nor in the jar of job.map-jar");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new MapClass(name, jar);
    }

    private static URL url(Path jar) throws MalformedURLException {
        return jar.toAbsolutePath().toUri().toURL();
    }

    private static void check(String name, ClassLoader loader, String elsewhere) {
        Class<?> found;
        try {
            found = Class.forName(name, false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException("there is no such class in the class path" + elsewhere, e);
        } catch (LinkageError e) {
            throw new IllegalArgumentException("the class cannot be loaded: " + e, e);
        }
        if (!MapFunction.class.isAssignableFrom(found)) {
            throw new IllegalArgumentException("the class is no " + MapFunction.class.getName());
        }
        checkIsOfRows(found);
        if (!isMadeWithoutArguments(found)) {
            throw new IllegalArgumentException(
                    "the class must be public and not abstract, with a public constructor" + " without parameters");
        }
    }

    private static boolean isMadeWithoutArguments(Class<?> found) {
        return Modifier.isPublic(found.getModifiers())
                && !Modifier.isAbstract(found.getModifiers())
                && Stream.of(found.getConstructors()).anyMatch(made -> made.getParameterCount() == 0);
    }

    private static void checkIsOfRows(Class<?> found) {
        for (int parameter = 0; parameter < 2; parameter++) {
            Type type;
            try {
                type = TypeExtractor.getParameterType(MapFunction.class, found, parameter);
            } catch (InvalidTypesException e) {
                // A raw type tells nothing, and a row that is none fails when it comes.
                continue;
            }
            if (type instanceof Class<?> known && known != Row.class) {
                throw new IllegalArgumentException("the class maps " + (parameter == 0 ? "from " : "to ")
                        + known.getName() + ", and must map " + Row.class.getName() + " to the same");
            }
        }
    }

    /** A function of this class, which has been looked at before. */
    @SuppressWarnings("unchecked")
    static MapFunction<Row, Row> create(String name, ClassLoader loader) throws ReflectiveOperationException {
        return Class.forName(name, true, loader)
                .asSubclass(MapFunction.class)
                .getConstructor()
                .newInstance();
    }
}
