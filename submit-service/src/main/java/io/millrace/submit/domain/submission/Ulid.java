package io.millrace.submit.domain.submission;

import io.millrace.model.BatchId;
import io.millrace.model.GlobalJobId;
import io.millrace.model.UserName;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.random.RandomGenerator;

/**
 * Generates ids of global jobs: 128 bits in Crockford's base 32.
 *
 * <p>A derived id contains no time, because requests with the same idempotency key must yield the same id at any time. Lists are therefore
 * ordered by submission time, not by id.
 */
public final class Ulid {

    private static final String DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    private static final int LENGTH = 26;
    private static final BigInteger BASE = BigInteger.valueOf(32);

    private Ulid() {}

    /** 48 bits of milliseconds, then 80 random bits. */
    public static GlobalJobId random(final Instant now, final RandomGenerator random) {
        final long time = now.toEpochMilli();
        final ByteBuffer bits = ByteBuffer.allocate(16);
        bits.putLong(time << 16 | random.nextLong() & 0xFFFF);
        bits.putLong(random.nextLong());
        return of(bits.array());
    }

    /** Equal users and keys yield equal ids (128 bits of SHA-256). */
    public static GlobalJobId derived(final UserName user, final String key) {
        final byte[] text = (user.value() + '\0' + key).getBytes(StandardCharsets.UTF_8);
        final byte[] bits = new byte[16];
        System.arraycopy(Digests.sha256().digest(text), 0, bits, 0, bits.length);
        return of(bits);
    }

    private static GlobalJobId of(final byte[] bits) {
        final char[] text = new char[LENGTH];
        BigInteger rest = new BigInteger(1, bits);
        for (int i = LENGTH - 1; i >= 0; i--) {
            final BigInteger[] step = rest.divideAndRemainder(BASE);
            text[i] = DIGITS.charAt(step[1].intValue());
            rest = step[0];
        }
        final String id = new String(text);
        // ids that end with 0000 are those of batches
        return GlobalJobId.of(BatchId.isBatch(id) ? id.substring(0, LENGTH - 1) + "1" : id);
    }
}
