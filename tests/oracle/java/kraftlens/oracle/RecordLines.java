package kraftlens.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.common.message.KRaftVersionRecordJsonConverter;
import org.apache.kafka.common.message.LeaderChangeMessageJsonConverter;
import org.apache.kafka.common.message.SnapshotFooterRecordJsonConverter;
import org.apache.kafka.common.message.SnapshotHeaderRecordJsonConverter;
import org.apache.kafka.common.message.VotersRecordJsonConverter;
import org.apache.kafka.common.metadata.MetadataJsonConverters;
import org.apache.kafka.common.metadata.MetadataRecordType;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.record.internal.ControlRecordType;
import org.apache.kafka.common.record.internal.ControlRecordUtils;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.apache.kafka.server.common.ApiMessageAndVersion;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/** The batches and records of one file, a JSON line each, data as Kafka's JSON converters have it. */
final class RecordLines {
    /** LeaderChange has directory ids of voters only in its version 1; absent ones show as zero. */
    private static final short LEADER_CHANGE = 1;
    private static final short OTHER_CONTROL = 0;

    private RecordLines() {
    }

    static void print(Path path, Consumer<String> out) throws IOException {
        try (FileRecords file = FileRecords.open(path.toFile(), false)) {
            for (RecordBatch batch : file.batches()) {
                out.accept(batch(batch).toString());
                for (Record record : batch) {
                    out.accept((batch.isControlBatch() ? control(record) : data(record)).toString());
                }
            }
        } catch (RuntimeException damaged) {
            out.accept(Json.object().put("error", damaged.toString()).toString());
        }
    }

    private static ObjectNode batch(RecordBatch batch) {
        ObjectNode line = Json.object()
            .put("batch", batch.baseOffset())
            .put("lastOffset", batch.lastOffset())
            .put("epoch", batch.partitionLeaderEpoch())
            .put("timestamp", batch.maxTimestamp())
            .put("size", batch.sizeInBytes())
            .put("control", batch.isControlBatch())
            .put("codec", batch.compressionType().name)
            .put("crc", batch.checksum())
            .put("valid", batch.isValid());
        if (batch.countOrNull() != null) {
            line.put("count", batch.countOrNull());
        }
        return line;
    }

    private static ObjectNode record(Record record) {
        return Json.object().put("offset", record.offset()).put("timestamp", record.timestamp());
    }

    private static ObjectNode control(Record record) {
        ControlRecordType type = ControlRecordType.parse(record.key());
        ObjectNode line = record(record).put("control", type.name());
        JsonNode data = switch (type) {
            case LEADER_CHANGE -> LeaderChangeMessageJsonConverter.write(
                ControlRecordUtils.deserializeLeaderChangeMessage(record), LEADER_CHANGE);
            case SNAPSHOT_HEADER -> SnapshotHeaderRecordJsonConverter.write(
                ControlRecordUtils.deserializeSnapshotHeaderRecord(record), OTHER_CONTROL);
            case SNAPSHOT_FOOTER -> SnapshotFooterRecordJsonConverter.write(
                ControlRecordUtils.deserializeSnapshotFooterRecord(record), OTHER_CONTROL);
            case KRAFT_VERSION -> KRaftVersionRecordJsonConverter.write(
                ControlRecordUtils.deserializeKRaftVersionRecord(record), OTHER_CONTROL);
            case KRAFT_VOTERS -> VotersRecordJsonConverter.write(
                ControlRecordUtils.deserializeVotersRecord(record), OTHER_CONTROL);
            default -> NullNode.instance;
        };
        if (!data.isNull()) {
            line.set("data", data);
        }
        return line;
    }

    private static ObjectNode data(Record record) {
        ObjectNode line = record(record);
        Optional<ApiMessageAndVersion> read = DataRecords.read(record);
        if (read.isEmpty()) {
            return line.put("error", "unreadable");
        }
        ApiMessageAndVersion message = read.get();
        line.put("type", MetadataRecordType.fromId(message.message().apiKey()).toString());
        line.put("version", message.version());
        line.set("data", MetadataJsonConverters.writeJson(message.message(), message.version()));
        if (!message.message().unknownTaggedFields().isEmpty()) {
            ArrayNode tags = line.putArray("unknownTags");
            for (RawTaggedField field : message.message().unknownTaggedFields()) {
                tags.addObject().put("tag", field.tag()).put("size", field.size());
            }
        }
        return line;
    }
}
