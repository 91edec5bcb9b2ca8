package io.millrace.agent.pbspro.query;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.millrace.agent.pbs.PbsObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the JSON of PBS as a stream. It keeps all values of a repeated name ({@code max_run_res_soft.ncpus}) and the text of
 * numbers as printed, and tolerates what PBS prints outside the JSON standard (control characters, unusual escapes, leading zeros).
 */
final class PbsJson {

    /** PBS nests four objects. */
    private static final int DEEPEST = 32;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
            .enable(JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .enable(JsonReadFeature.ALLOW_LEADING_ZEROS_FOR_NUMBERS)
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS)
            .enable(JsonReadFeature.ALLOW_LEADING_DECIMAL_POINT_FOR_NUMBERS)
            .enable(JsonReadFeature.ALLOW_TRAILING_DECIMAL_POINT_FOR_NUMBERS)
            .enable(JsonReadFeature.ALLOW_TRAILING_COMMA)
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(64 * 1024 * 1024)
                    .maxNestingDepth(DEEPEST)
                    .build())
            .build();

    private PbsJson() {}

    /**
     * @param section {@code Jobs}, {@code Queue}, {@code Server}, {@code nodes}
     * @return the objects of the section; empty if the section is missing, as for an empty cluster
     * @throws IOException if the text is not JSON, or incomplete
     */
    static List<PbsObject> read(final byte[] text, final String section) throws IOException {
        final List<PbsObject> objects = new ArrayList<>();
        boolean spoken = false;
        try (JsonParser parser = JSON.createParser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("it does not start with '{'");
            }
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                final String name = parser.currentName();
                final JsonToken value = parser.nextToken();
                spoken |= name.equals("pbs_server") || name.equals("pbs_version") || name.equals(section);
                if (name.equals(section) && value == JsonToken.START_OBJECT) {
                    section(parser, objects);
                } else {
                    parser.skipChildren();
                }
            }
            if (parser.currentToken() != JsonToken.END_OBJECT) {
                throw new IOException("it is incomplete");
            }
        }
        if (!spoken) {
            throw new IOException("it does not come from PBS");
        }
        return objects;
    }

    private static void section(final JsonParser parser, final List<PbsObject> objects) throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            final PbsObject.Builder object = new PbsObject.Builder(parser.currentName());
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("'" + parser.currentName() + "' is not an object");
            }
            attributes(parser, object, "");
            objects.add(object.build());
        }
        if (parser.currentToken() != JsonToken.END_OBJECT) {
            throw new IOException("it is incomplete");
        }
    }

    private static void attributes(final JsonParser parser, final PbsObject.Builder object, final String group)
            throws IOException {
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            final String name = group + parser.currentName();
            final JsonToken value = parser.nextToken();
            if (isNobodys(name)) {
                parser.skipChildren();
                continue;
            }
            switch (value) {
                case START_OBJECT -> attributes(parser, object, name + ".");
                case START_ARRAY -> object.add(name, array(parser));
                case VALUE_NULL -> {}
                case null -> throw new IOException("it is incomplete");
                default -> object.add(name, parser.getText());
            }
        }
        if (parser.currentToken() != JsonToken.END_OBJECT) {
            throw new IOException("it is incomplete");
        }
    }

    /** Whether the attribute is long, part of every job, and unused here. */
    private static boolean isNobodys(final String name) {
        return name.equals("Submit_arguments")
                || name.equals("argument_list")
                || name.startsWith("Variable_List.PBS_O_") && !name.equals("Variable_List.PBS_O_WORKDIR");
    }

    private static String array(final JsonParser parser) throws IOException {
        final List<String> members = new ArrayList<>();
        JsonToken token = parser.nextToken();
        while (token != JsonToken.END_ARRAY) {
            if (token == null) {
                throw new IOException("it is incomplete");
            }
            if (token.isScalarValue()) {
                members.add(parser.getText());
            }
            token = parser.nextToken();
        }
        return String.join(",", members);
    }
}
