import com.segment.analytics.Analytics;
import com.segment.analytics.Callback;
import com.segment.analytics.messages.Message;
import com.segment.analytics.messages.TrackMessage;
import java.util.Date;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Tracks COUNT numbered events, PAUSE_MS apart, and ends when each was sent or given up. */
public class Sender {
  public static void main(String[] args) throws InterruptedException {
    int count = number("COUNT");
    CountDownLatch waiting = new CountDownLatch(count);
    AtomicInteger failures = new AtomicInteger();
    Analytics analytics =
        Analytics.builder(System.getenv("WRITE_KEY"))
            .endpoint(System.getenv("BASE_URL") + "/functions/v1/track")
            .flushInterval(1, TimeUnit.SECONDS)
            .callback(
                new Callback() {
                  @Override
                  public void success(Message message) {
                    waiting.countDown();
                  }

                  @Override
                  public void failure(Message message, Throwable throwable) {
                    failures.incrementAndGet();
                    waiting.countDown();
                  }
                })
            .build();
    for (int i = 0; i < count; i++) {
      Date now = new Date();
      analytics.enqueue(
          TrackMessage.builder("Event " + i)
              .userId("user-" + i % 50)
              .timestamp(now)
              .context(Map.of("locale", "de-DE"))
              .properties(Map.of("number", i, "at", now.getTime())));
      Thread.sleep(number("PAUSE_MS"));
    }
    analytics.flush();
    boolean isDone = waiting.await(400, TimeUnit.SECONDS);
    analytics.shutdown();
    if (!isDone || failures.get() > 0) {
      System.err.println("gave up " + failures.get() + ", waiting " + waiting.getCount());
      System.exit(1);
    }
    System.exit(0);
  }

  private static int number(String name) {
    return Integer.parseInt(System.getenv(name));
  }
}
