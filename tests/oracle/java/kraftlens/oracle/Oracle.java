package kraftlens.oracle;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The commands of tests/oracle/run that need Kafka's classes. */
public final class Oracle {
    private Oracle() {
    }

    public static void main(String[] args) throws Exception {
        List<String> operands = Arrays.asList(args).subList(1, args.length);
        switch (args[0]) {
            case "trees" -> trees(Path.of(operands.get(0)), operands.subList(1, operands.size()));
            case "records" -> records(operands);
            case "dump" -> DumpLog.toStandardOutput(operands);
            case "time" -> time(Path.of(operands.get(0)));
            case "snapshot" -> {
                for (int at = 0; at + 2 < operands.size(); at += 3) {
                    snapshot(Path.of(operands.get(at)), operands.get(at + 1), Path.of(operands.get(at + 2)));
                }
            }
            case "large" -> large(Path.of(operands.get(0)), operands.subList(1, operands.size()));
            case "goldens" -> new Goldens(Path.of(operands.get(0)), Path.of(operands.get(1)))
                .writeInto(Path.of(operands.get(2)));
            default -> throw new IllegalArgumentException(args[0]);
        }
        // Some of Kafka's classes leave threads behind that would keep the process alive.
        System.exit(0);
    }

    private static void trees(Path out, List<String> paths) throws IOException {
        Files.createDirectories(out);
        int number = 0;
        for (String path : paths) {
            Replay replay = Replay.of(Path.of(path), Long.MAX_VALUE);
            TreeLines tree = TreeLines.of(replay.image());
            Files.write(out.resolve(number + ".jsonl"), tree.lines());
            List<String> faults = replay.faults();
            faults.addAll(tree.faults());
            Files.write(out.resolve(number + ".faults"), faults);
            number++;
        }
    }

    private static void records(List<String> files) throws IOException {
        try (PrintWriter out = standardOutput()) {
            for (String file : files) {
                RecordLines.print(Path.of(file), out::println);
            }
        }
    }

    private static void time(Path path) throws IOException {
        long start = System.nanoTime();
        Replay replay = Replay.of(path, Long.MAX_VALUE);
        long elapsed = (System.nanoTime() - start) / 1_000_000;
        System.out.printf("records=%d topics=%d ms=%d%n", replay.records(),
            replay.image().topics().topicsById().size(), elapsed);
    }

    private static void snapshot(Path path, String end, Path out) throws IOException {
        Replay replay = Replay.of(path, end.equals("end") ? Long.MAX_VALUE : Long.parseLong(end));
        replay.faults().forEach(System.err::println);
        System.out.println(Checkpoints.write(out, replay.image()));
    }

    private static void large(Path out, List<String> numbers) throws IOException {
        int[] n = numbers.stream().mapToInt(Integer::parseInt).toArray();
        new LargeState(n[0], n[1], n[2], n[3]).writeInto(out).forEach(System.out::println);
    }

    private static PrintWriter standardOutput() {
        return new PrintWriter(new BufferedWriter(new OutputStreamWriter(
            new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8)));
    }
}
