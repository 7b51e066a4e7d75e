package kraftlens.oracle;

import org.apache.kafka.tools.DumpLogSegments;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Kafka's own kafka-dump-log. */
final class DumpLog {
    private DumpLog() {
    }

    static void toStandardOutput(List<String> files) throws IOException {
        DumpLogSegments.main(new String[] {"--cluster-metadata-decoder", "--files", String.join(",", files)});
    }

    /** What the tool prints for a file when it is run in the folder of the file. */
    static String text(Path file) throws IOException {
        PrintStream before = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(captured, false, StandardCharsets.UTF_8)) {
            System.setOut(out);
            toStandardOutput(List.of(file.toString()));
        } finally {
            System.setOut(before);
        }
        String text = captured.toString(StandardCharsets.UTF_8);
        return text.replaceFirst("^Dumping .*", "Dumping ./" + file.getFileName());
    }
}
