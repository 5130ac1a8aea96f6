package io.chunkroll.job.run;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** An object of {@code run.json} whose figures are numbers, or else null with a reason that is noted under the figure's path. */
final class FigureNode {
    private static final double DECIMALS = 1e3;

    private final ObjectNode node;
    private final ObjectNode reasons;
    private final String path;

    /** @param path of the object, with a dot at its end; empty for the outermost */
    FigureNode(ObjectNode node, ObjectNode reasons, String path) {
        this.node = node;
        this.reasons = reasons;
        this.path = path;
    }

    FigureNode object(String field) {
        return new FigureNode(node.putObject(field), reasons, path + field + ".");
    }

    void put(String field, OptionalLong value, String whyNot) {
        if (value.isPresent()) {
            node.put(field, value.getAsLong());
        } else {
            absent(field, whyNot);
        }
    }

    void put(String field, OptionalDouble value, String whyNot) {
        if (value.isPresent()) {
            put(field, value.getAsDouble());
        } else {
            absent(field, whyNot);
        }
    }

    void put(String field, long value) {
        node.put(field, value);
    }

    void put(String field, double value) {
        node.put(field, Math.round(value * DECIMALS) / DECIMALS);
    }

    void text(String field, String value) {
        node.put(field, value);
    }

    void truth(String field, boolean value) {
        node.put(field, value);
    }

    void array(String field, List<Long> values) {
        ArrayNode array = node.putArray(field);
        values.forEach(array::add);
    }

    /** A figure that is not there. */
    void absent(String field, String whyNot) {
        node.putNull(field);
        reasons.put(path + field, whyNot);
    }
}
