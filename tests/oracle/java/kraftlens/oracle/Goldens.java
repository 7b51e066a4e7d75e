package kraftlens.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Makes the golden files again. The extension of a file chooses what it holds, so a new one begins as an
 * empty file of the right name (a {@code shell.jsonl} as lines that have {@code args} only).
 */
final class Goldens {
    private final Path samples;
    private final Path goldens;

    Goldens(Path samples, Path goldens) {
        this.samples = samples;
        this.goldens = goldens;
    }

    void writeInto(Path out) throws IOException, InterruptedException {
        List<Path> names;
        try (Stream<Path> files = Files.walk(goldens)) {
            names = files.filter(Files::isRegularFile).map(goldens::relativize).sorted().toList();
        }
        for (Path name : names) {
            if (!name.endsWith("README.md")) {
                String text = text(name);
                Path file = out.resolve(name);
                Files.createDirectories(file.getParent());
                Files.writeString(file, text);
            }
        }
    }

    private String text(Path name) throws IOException, InterruptedException {
        String file = name.getFileName().toString();
        Path folder = samples.resolve(name).getParent();
        if (file.equals("tree.jsonl")) {
            return tree(folder);
        } else if (file.endsWith(".records.jsonl")) {
            List<String> lines = new ArrayList<>();
            RecordLines.print(sample(folder, file, ".records.jsonl"), lines::add);
            return joined(lines);
        } else if (file.endsWith(".dump.txt")) {
            return DumpLog.text(sample(folder, file, ".dump.txt"));
        } else if (file.endsWith(".shell.jsonl")) {
            List<String> lines = new ArrayList<>();
            for (String before : Files.readAllLines(goldens.resolve(name))) {
                lines.add(ShellRuns.again(sample(folder, file, ".shell.jsonl"), before));
            }
            return joined(lines);
        }
        throw new IllegalArgumentException(name + ": nothing makes files of this extension");
    }

    private static String tree(Path folder) throws IOException {
        Replay replay = Replay.of(folder, Long.MAX_VALUE);
        TreeLines tree = TreeLines.of(replay.image());
        replay.faults().forEach(fault -> System.err.println(folder + ": " + fault));
        tree.faults().forEach(fault -> System.err.println(folder + ": " + fault));
        return joined(tree.lines());
    }

    private static Path sample(Path folder, String golden, String extension) {
        return folder.resolve(golden.substring(0, golden.length() - extension.length()));
    }

    private static String joined(List<String> lines) {
        return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
    }
}
