package kraftlens.oracle;

import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.server.common.ApiMessageAndVersion;

import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads metadata records as Kafka does. */
final class DataRecords {
    private static final int API_KEY = 1;
    private static final int VERSION = 2;

    private DataRecords() {
    }

    /**
     * The message of a record; nothing when Kafka cannot read it. RegisterBrokerRecord version 5 is a
     * draft that no release reads: it differs from version 4 by one tagged field, so it is read as
     * version 4, where that field is an unknown tag.
     */
    static Optional<ApiMessageAndVersion> read(Record record) {
        Optional<ApiMessageAndVersion> message = decode(record.value());
        return message.isPresent() ? message : decodeDraft(record.value());
    }

    private static Optional<ApiMessageAndVersion> decodeDraft(ByteBuffer value) {
        if (value == null || value.remaining() <= VERSION
            || value.get(value.position() + API_KEY) != 0 || value.get(value.position() + VERSION) != 5) {
            return Optional.empty();
        }
        ByteBuffer copy = ByteBuffer.allocate(value.remaining()).put(value.duplicate()).flip();
        return decode(copy.put(VERSION, (byte) 4));
    }

    private static Optional<ApiMessageAndVersion> decode(ByteBuffer value) {
        try {
            return Optional.of(MetadataRecordSerde.INSTANCE.read(
                new ByteBufferAccessor(value.duplicate()), value.remaining()));
        } catch (RuntimeException unreadable) {
            return Optional.empty();
        }
    }
}
