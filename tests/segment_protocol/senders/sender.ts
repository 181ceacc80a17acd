import { Analytics } from "@segment/analytics-node";

/** Tracks COUNT numbered events, PAUSE_MS apart, and ends when each was sent or given up. */
const failures: unknown[] = [];
const analytics = new Analytics({
  writeKey: Deno.env.get("WRITE_KEY")!,
  host: Deno.env.get("BASE_URL")!,
  path: "/functions/v1/track/v1/batch",
});
analytics.on("error", (error) => failures.push(error));
for (let number = 0; number < Number(Deno.env.get("COUNT")); number++) {
  const timestamp = new Date();
  analytics.track({
    userId: `user-${number % 50}`,
    event: `Event ${number}`,
    properties: { number, at: timestamp.getTime() },
    context: { locale: "de-DE" },
    timestamp,
  });
  await new Promise((resolve) => setTimeout(resolve, Number(Deno.env.get("PAUSE_MS"))));
}
await analytics.closeAndFlush({ timeout: 400_000 });
if (failures.length > 0) {
  Deno.stderr.writeSync(new TextEncoder().encode(`gave up: ${failures[0]}\n`));
  Deno.exit(1);
}
