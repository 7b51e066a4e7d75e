package kraftlens.oracle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.node.MetadataImageNode;
import org.apache.kafka.image.node.MetadataNode;
import org.apache.kafka.image.node.printer.MetadataNodePrinter;
import org.apache.kafka.image.node.printer.MetadataNodeRedactionCriteria;

import java.util.ArrayList;
import java.util.List;

/**
 * The tree that MetadataShell shows of an image, a JSON line per node: its path below {@code /image}, its
 * kind, and the text of a leaf. Nothing is masked. Names that a directory lists but does not find again
 * are left out.
 */
final class TreeLines {
    private final List<String> lines = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private TreeLines() {
    }

    static TreeLines of(MetadataImage image) {
        TreeLines tree = new TreeLines();
        tree.node("", new MetadataImageNode(image));
        return tree;
    }

    List<String> lines() {
        return lines;
    }

    /** Directories that Kafka cannot list. */
    List<String> faults() {
        return faults;
    }

    private void node(String path, MetadataNode node) {
        ObjectNode line = Json.object().put("path", path.isEmpty() ? "/" : path);
        if (!node.isDirectory()) {
            Text text = new Text();
            node.print(text);
            lines.add(line.put("kind", "file").put("text", text.toString()).toString());
            return;
        }
        lines.add(line.put("kind", "dir").toString());
        List<String> names;
        try {
            names = node.childNames().stream().sorted().toList();
        } catch (RuntimeException unlistable) {
            faults.add(path + ": " + unlistable);
            return;
        }
        for (String name : names) {
            MetadataNode child = node.child(name);
            if (child != null) {
                node(path + "/" + name, child);
            }
        }
    }

    /** What a leaf prints, as the shell would: a line for each output, indented below nested names. */
    private static final class Text implements MetadataNodePrinter {
        private final StringBuilder text = new StringBuilder();
        private int depth;

        @Override
        public MetadataNodeRedactionCriteria redactionCriteria() {
            return MetadataNodeRedactionCriteria.Disabled.INSTANCE;
        }

        @Override
        public void enterNode(String name) {
            output(name + ":");
            depth++;
        }

        @Override
        public void leaveNode() {
            depth--;
        }

        @Override
        public void output(String line) {
            text.append("  ".repeat(depth)).append(line).append('\n');
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
