import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** A registered tool submits a job: java -cp 'kafka/libs/*' SubmitByKafka.java CLIENT.PROPERTIES TOOL KEY.PEM USER CLUSTER DIRECTORY */
public class SubmitByKafka {

    public static void main(String[] args) throws Exception {
        Properties kafka = new Properties();
        try (Reader file = Files.newBufferedReader(Path.of(args[0]))) {
            kafka.load(file);
        }
        String tool = args[1];
        String id = UUID.randomUUID().toString(); // a request that is repeated with its id submits nothing more
        String claims = """
                {"iss": "tool/%s", "aud": "millrace", "sub": "%s", "jti": "%s", "exp": %d,
                 "job": {"script": "#!/bin/sh\\nhostname\\n", "walltime": "5", "source": "%s", "directory": "%s"}}"""
                .formatted(tool, args[3], id, Instant.now().plusSeconds(600).getEpochSecond(), args[4], args[5]);
        String request = signed(claims, key(Path.of(args[2])));
        TopicPartition answers = new TopicPartition("millrace.tool-answers." + tool, 0);
        try (var consumer = new KafkaConsumer<>(kafka, new StringDeserializer(), new StringDeserializer());
                var producer = new KafkaProducer<>(kafka, new StringSerializer(), new StringSerializer())) {
            consumer.assign(List.of(answers));
            consumer.seekToEnd(List.of(answers));
            consumer.position(answers);
            producer.send(new ProducerRecord<>("millrace.tool-submissions." + tool, id, request)).get();
            for (Instant until = Instant.now().plusSeconds(120); Instant.now().isBefore(until); ) {
                for (var answer : consumer.poll(Duration.ofSeconds(1))) {
                    if (id.equals(answer.key())) {
                        System.out.println(answer.value());
                        System.exit(answer.value().contains("\"status\":202") ? 0 : 1);
                    }
                }
            }
        }
        System.err.println("no answer; is submit-service running?");
        System.exit(2);
    }

    private static PrivateKey key(Path pem) throws Exception {
        String base64 = Files.readString(pem).replaceAll("-----[A-Z ]+-----|\\s", "");
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64)));
    }

    private static String signed(String claims, PrivateKey key) throws Exception {
        String text = encoded("{\"alg\":\"ES256\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + encoded(claims.getBytes(StandardCharsets.UTF_8));
        Signature signer = Signature.getInstance("SHA256withECDSAinP1363Format");
        signer.initSign(key);
        signer.update(text.getBytes(StandardCharsets.US_ASCII));
        return text + "." + encoded(signer.sign());
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
