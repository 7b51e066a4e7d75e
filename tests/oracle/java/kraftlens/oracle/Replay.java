package kraftlens.oracle;

import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.ControlRecordUtils;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.internals.LogContext;
import org.apache.kafka.image.MetadataDelta;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.image.MetadataProvenance;
import org.apache.kafka.image.loader.MetadataBatchLoader;
import org.apache.kafka.metadata.SupportedConfigChecker;
import org.apache.kafka.raft.Batch;
import org.apache.kafka.raft.LeaderAndEpoch;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Kafka's image of a state: the checkpoint as a server loads one, then the log through the loader that
 * servers and MetadataShell use, published after each batch as MetadataShell does. Configuration keys
 * that Kafka no longer knows are kept.
 */
final class Replay {
    private final List<String> faults = new ArrayList<>();
    private MetadataImage image = MetadataImage.EMPTY;
    private long records;

    private Replay() {
    }

    /** Replays a folder, log or checkpoint up to an offset, which is not included itself. */
    static Replay of(Path path, long end) throws IOException {
        StateFiles files = StateFiles.of(path, end);
        Replay replay = new Replay();
        if (files.checkpoint().isPresent()) {
            replay.load(files.checkpoint().get());
        }
        replay.log(files.segments(), files.checkpoint().map(StateFiles::id).map(OffsetAndEpoch::offset).orElse(0L), end);
        return replay;
    }

    MetadataImage image() {
        return image;
    }

    /** What went wrong on the way, in order. A valid history has none. */
    List<String> faults() {
        return faults;
    }

    /** How many data records were read. */
    long records() {
        return records;
    }

    private void load(Path checkpoint) throws IOException {
        MetadataDelta delta = new MetadataDelta.Builder().setImage(MetadataImage.EMPTY).build();
        long lastContained = 0;
        try (FileRecords file = FileRecords.open(checkpoint.toFile(), false)) {
            for (RecordBatch batch : file.batches()) {
                batch.ensureValid();
                for (Record record : batch) {
                    if (!batch.isControlBatch()) {
                        read(record).ifPresent(message -> replay(delta, message, record.offset()));
                    } else if (ControlRecordType.parse(record.key()) == ControlRecordType.SNAPSHOT_HEADER) {
                        lastContained = ControlRecordUtils.deserializeSnapshotHeaderRecord(record)
                            .lastContainedLogTimestamp();
                    }
                }
            }
        } catch (RuntimeException damaged) {
            fault(checkpoint + ": " + damaged);
        }
        OffsetAndEpoch id = StateFiles.id(checkpoint);
        image = delta.apply(new MetadataProvenance(id.offset() - 1, id.epoch(), lastContained, true));
    }

    private void replay(MetadataDelta delta, ApiMessageAndVersion message, long offset) {
        try {
            delta.replay(message.message());
        } catch (RuntimeException refused) {
            fault("offset " + offset + " of the checkpoint: " + refused);
        }
    }

    private void log(List<Path> segments, long from, long end) throws IOException {
        MetadataBatchLoader loader = new MetadataBatchLoader(
            new LogContext(), Time.SYSTEM, this::refused,
            (delta, published, manifest) -> image = published, SupportedConfigChecker.TRUE);
        loader.resetToImage(image);
        for (Path segment : segments) {
            try (FileRecords file = FileRecords.open(segment.toFile(), false)) {
                for (RecordBatch batch : file.batches()) {
                    batch.ensureValid();
                    if (!batch.isControlBatch() && batch.lastOffset() >= from && batch.lastOffset() < end) {
                        publish(loader, batch);
                    }
                }
            } catch (RuntimeException damaged) {
                // Kafka would cut the log here.
                fault(segment + ": " + damaged);
                return;
            }
        }
    }

    private void publish(MetadataBatchLoader loader, RecordBatch batch) {
        List<ApiMessageAndVersion> messages = new ArrayList<>();
        for (Record record : batch) {
            read(record).ifPresent(messages::add);
        }
        loader.loadBatch(Batch.data(batch.baseOffset(), batch.partitionLeaderEpoch(), batch.maxTimestamp(),
            batch.sizeInBytes(), messages), LeaderAndEpoch.UNKNOWN);
        loader.maybeFlushBatches(LeaderAndEpoch.UNKNOWN, true);
    }

    private Optional<ApiMessageAndVersion> read(Record record) {
        records++;
        Optional<ApiMessageAndVersion> message = DataRecords.read(record);
        if (message.isEmpty()) {
            fault("unreadable record at offset " + record.offset());
        }
        return message;
    }

    private RuntimeException refused(String what, Throwable cause) {
        fault(cause == null ? what : what + ": " + cause);
        return new IllegalStateException(what, cause);
    }

    private void fault(String text) {
        faults.add(text.replace('\n', ' '));
    }
}
