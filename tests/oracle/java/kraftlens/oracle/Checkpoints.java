package kraftlens.oracle;

import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.writer.ImageWriterOptions;
import org.apache.kafka.image.writer.RecordListWriter;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.KRaftVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;
import org.apache.kafka.snapshot.FileRawSnapshotWriter;
import org.apache.kafka.snapshot.RecordsSnapshotWriter;
import org.apache.kafka.snapshot.Snapshots;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Writes checkpoints with Kafka's own writer, at kraft.version 0 and without voters. */
final class Checkpoints {
    private static final int MAX_BATCH_BYTES = 8 * 1024 * 1024;
    private static final int RECORDS_AT_ONCE = 1024;

    private Checkpoints() {
    }

    /** Writes an image under the id that follows from its provenance. What its level cannot hold is dropped. */
    static Path write(Path folder, MetadataImage image) throws IOException {
        RecordListWriter records = new RecordListWriter();
        image.write(records, new ImageWriterOptions.Builder(image).setLossHandler(loss -> { }).build());
        MetadataProvenance provenance = image.provenance();
        return write(folder, new OffsetAndEpoch(provenance.lastContainedOffset() + 1, provenance.lastContainedEpoch()),
            provenance.lastContainedLogTimeMs(), records.records().iterator());
    }

    /** Writes records as a checkpoint. The times in it are that of its last record, so the bytes are fixed. */
    static Path write(Path folder, OffsetAndEpoch id, long time, Iterator<ApiMessageAndVersion> records)
        throws IOException {
        Files.createDirectories(folder);
        try (RecordsSnapshotWriter<ApiMessageAndVersion> writer = new RecordsSnapshotWriter.Builder()
            .setLastContainedLogTimestamp(time)
            .setTime(new StoppedClock(time))
            .setCompression(Compression.NONE)
            .setMaxBatchSizeBytes(MAX_BATCH_BYTES)
            .setKraftVersion(KRaftVersion.KRAFT_VERSION_0)
            .setVoterSet(Optional.empty())
            .setRawSnapshotWriter(FileRawSnapshotWriter.create(folder, id))
            .build(MetadataRecordSerde.INSTANCE)) {
            List<ApiMessageAndVersion> some = new ArrayList<>();
            while (records.hasNext()) {
                some.add(records.next());
                if (some.size() == RECORDS_AT_ONCE || !records.hasNext()) {
                    writer.append(some);
                    some = new ArrayList<>();
                }
            }
            writer.freeze();
        }
        return Snapshots.snapshotPath(folder, id);
    }

    /** The clock that makes equal input give equal bytes. */
    private record StoppedClock(long now) implements Time {
        @Override
        public long milliseconds() {
            return now;
        }

        @Override
        public long nanoseconds() {
            return now * 1_000_000;
        }

        @Override
        public void sleep(long ms) {
        }
    }
}
