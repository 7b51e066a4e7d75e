package kraftlens.oracle;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.metadata.FeatureLevelRecord;
import org.apache.kafka.common.metadata.PartitionRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerEndpoint;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerEndpointCollection;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerFeature;
import org.apache.kafka.common.metadata.RegisterBrokerRecord.BrokerFeatureCollection;
import org.apache.kafka.common.metadata.TopicRecord;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ObjectSerializationCache;
import org.apache.kafka.metadata.MetadataRecordSerde;
import org.apache.kafka.raft.internals.BatchBuilder;
import org.apache.kafka.server.common.ApiMessageAndVersion;
import org.apache.kafka.server.common.OffsetAndEpoch;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A cluster of many partitions, to measure with: as a checkpoint and as a log of the same records. */
final class LargeState {
    private static final short LEVEL = 25;
    private static final long TIME = 1_700_000_000_000L;
    private static final int EPOCH = 40;
    private static final int RECORDS_IN_BATCH = 400;
    private static final int BATCH_BYTES = 1 << 20;

    private final int topics;
    private final int partitions;
    private final int replicas;
    private final int brokers;

    LargeState(int topics, int partitions, int replicas, int brokers) {
        this.topics = topics;
        this.partitions = partitions;
        this.replicas = replicas;
        this.brokers = brokers;
    }

    List<Path> writeInto(Path folder) throws IOException {
        Path checkpoint = Checkpoints.write(folder, new OffsetAndEpoch(50_000_000, EPOCH), TIME, records().iterator());
        return List.of(checkpoint, log(folder.resolve("log")));
    }

    private Stream<ApiMessageAndVersion> records() {
        Stream<ApiMessageAndVersion> level = Stream.of(versioned(new FeatureLevelRecord()
            .setName("metadata.version").setFeatureLevel(LEVEL), 0));
        Stream<ApiMessageAndVersion> registrations = IntStream.range(0, brokers).mapToObj(this::broker);
        Stream<ApiMessageAndVersion> all = IntStream.range(0, topics).boxed().flatMap(topic -> Stream.concat(
            Stream.of(versioned(new TopicRecord().setName("team-%02d.topic-%06d".formatted(topic % 50, topic))
                .setTopicId(topicId(topic)), 0)),
            IntStream.range(0, partitions).mapToObj(partition -> partition(topic, partition))));
        return Stream.concat(Stream.concat(level, registrations), all);
    }

    private ApiMessageAndVersion broker(int id) {
        BrokerEndpointCollection endpoints = new BrokerEndpointCollection();
        endpoints.add(new BrokerEndpoint().setName("PLAINTEXT").setHost("broker-" + id + ".example").setPort(9092));
        BrokerFeatureCollection features = new BrokerFeatureCollection();
        features.add(new BrokerFeature().setName("metadata.version")
            .setMinSupportedVersion((short) 7).setMaxSupportedVersion((short) 30));
        return versioned(new RegisterBrokerRecord().setBrokerId(id).setBrokerEpoch(100 + id)
            .setIncarnationId(spread(1, id)).setEndPoints(endpoints).setFeatures(features)
            .setRack("rack-" + id % 3).setFenced(false)
            .setLogDirs(List.of(directory(id, 0), directory(id, 1))), 3);
    }

    private ApiMessageAndVersion partition(int topic, int partition) {
        int first = Math.floorMod(topic * 31 + partition, brokers);
        List<Integer> ids = IntStream.range(0, replicas).mapToObj(n -> (first + n) % brokers).toList();
        List<Uuid> directories = ids.stream().map(id -> directory(id, partition % 2)).toList();
        return versioned(new PartitionRecord().setTopicId(topicId(topic)).setPartitionId(partition)
            .setReplicas(ids).setIsr(ids).setDirectories(directories)
            .setLeader(first).setLeaderEpoch(topic % 7).setPartitionEpoch(topic % 11), 2);
    }

    private Path log(Path folder) throws IOException {
        Files.createDirectories(folder);
        Path segment = folder.resolve("%020d.log".formatted(0));
        try (FileChannel out = FileChannel.open(segment, StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            List<ApiMessageAndVersion> batch = new ArrayList<>();
            long offset = 0;
            for (Iterator<ApiMessageAndVersion> all = records().iterator(); all.hasNext();) {
                batch.add(all.next());
                if (batch.size() == RECORDS_IN_BATCH || !all.hasNext()) {
                    append(out, batch, offset);
                    offset += batch.size();
                    batch.clear();
                }
            }
        }
        return segment;
    }

    private static void append(FileChannel out, List<ApiMessageAndVersion> records, long offset) throws IOException {
        BatchBuilder<ApiMessageAndVersion> builder = new BatchBuilder<>(ByteBuffer.allocate(BATCH_BYTES),
            MetadataRecordSerde.INSTANCE, Compression.NONE, offset, TIME, EPOCH, BATCH_BYTES);
        records.forEach(record -> builder.appendRecord(record, new ObjectSerializationCache()));
        builder.build().writeFullyTo(out);
    }

    private static Uuid topicId(int topic) {
        return spread(2, topic);
    }

    private static Uuid directory(int broker, int number) {
        return spread(3 + number, broker);
    }

    /** A different id for each pair of numbers, with bits all over. */
    private static Uuid spread(int kind, int number) {
        long mixed = (((long) kind << 40) + number + 1) * 0x9E3779B97F4A7C15L;
        return new Uuid(mixed ^ mixed >>> 29, mixed * 0xBF58476D1CE4E5B9L);
    }

    private static ApiMessageAndVersion versioned(ApiMessage message, int version) {
        return new ApiMessageAndVersion(message, (short) version);
    }
}
