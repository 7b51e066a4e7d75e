package kraftlens.oracle;

import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.Snapshots;
import org.apache.kafka.snapshot.SnapshotPath;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The files that make up one state: at most one checkpoint, then log segments in order. */
record StateFiles(Optional<Path> checkpoint, List<Path> segments) {

    /**
     * The files of a folder, or the one file given. Of the checkpoints that end at or before the wanted
     * offset and have their footer, the greatest by epoch and then offset; the one that formatting
     * writes counts only while no segment holds data.
     */
    static StateFiles of(Path path, long end) throws IOException {
        if (!Files.isDirectory(path)) {
            boolean checkpoint = path.getFileName().toString().endsWith(Snapshots.SUFFIX);
            return checkpoint
                ? new StateFiles(Optional.of(path), List.of())
                : new StateFiles(Optional.empty(), List.of(path));
        }
        List<Path> segments = named(path, "\\d{20}\\.log");
        boolean data = false;
        for (Path segment : segments) {
            data = data || hasData(segment);
        }
        Optional<Path> best = Optional.empty();
        for (Path candidate : named(path, "\\d{20}-\\d{10}\\.checkpoint")) {
            OffsetAndEpoch id = id(candidate);
            boolean formatting = id.equals(Snapshots.BOOTSTRAP_SNAPSHOT_ID);
            if (id.offset() <= end && !(formatting && data) && endsWithFooter(candidate)
                && (best.isEmpty() || id.compareTo(id(best.get())) > 0)) {
                best = Optional.of(candidate);
            }
        }
        return new StateFiles(best, segments);
    }

    /** The end offset and epoch in a checkpoint's name; 0-0 for any other name. */
    static OffsetAndEpoch id(Path checkpoint) {
        return Snapshots.parse(checkpoint).map(SnapshotPath::snapshotId)
            .orElse(Snapshots.BOOTSTRAP_SNAPSHOT_ID);
    }

    private static List<Path> named(Path folder, String pattern) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.filter(entry -> entry.getFileName().toString().matches(pattern))
                .sorted(Comparator.comparing(entry -> entry.getFileName().toString()))
                .toList();
        }
    }

    private static boolean hasData(Path segment) throws IOException {
        try (FileRecords file = FileRecords.open(segment.toFile(), false)) {
            for (RecordBatch batch : file.batches()) {
                if (!batch.isControlBatch()) {
                    return true;
                }
            }
        } catch (RuntimeException damaged) {
            return false;
        }
        return false;
    }

    private static boolean endsWithFooter(Path checkpoint) throws IOException {
        boolean footer = false;
        try (FileRecords file = FileRecords.open(checkpoint.toFile(), false)) {
            for (RecordBatch batch : file.batches()) {
                footer = false;
                if (batch.isControlBatch()) {
                    for (Record record : batch) {
                        footer = ControlRecordType.parse(record.key()) == ControlRecordType.SNAPSHOT_FOOTER;
                    }
                }
            }
        } catch (RuntimeException damaged) {
            return false;
        }
        return footer;
    }
}
