import assert from "node:assert/strict";
import type { TrackedEvent } from "../../dashboard/src/api/types.ts";
import { makeTrackCurl } from "../../dashboard/src/pages/events/make_track_curl.ts";
import { makeCurl } from "../../dashboard/src/pages/deliveries/make_curl.ts";

Deno.test("makeCurl() quotes every value for a shell", async () => {
  const body = `{"note":"it's $HOME \\n"}`;
  const command = makeCurl({
    delivery: {
      event_type: "it's",
      message_id: "01a20000-0000-7000-8000-000000000000",
      attempted_at: "2026-11-22T10:00:00.500Z",
    },
    url: "https://example.com/hooks?a=1&b='2'",
    headerNames: ["Authorization", "X-'Key'"],
    body,
  });
  // A shell splits the command into the arguments that curl would get.
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", command.replace(/^curl/, "printf '%s\\n'")],
  }).output();
  assert.deepEqual(new TextDecoder().decode(stdout).trimEnd().split("\n"), [
    "-X",
    "POST",
    "https://example.com/hooks?a=1&b='2'",
    "-H",
    "content-type: application/json",
    "-H",
    "x-service-event: it's",
    "-H",
    "webhook-id: 01a20000-0000-7000-8000-000000000000",
    "-H",
    "webhook-timestamp: 1795341600",
    "-H",
    "Authorization: <value>",
    "-H",
    "X-'Key': <value>",
    "--data-raw",
    body,
  ]);
});

Deno.test("makeTrackCurl() sends the same event, without a key", async () => {
  const event = {
    kind: "event",
    external_id: "it's ada",
    anon_id: null,
    name: "order_created",
    properties: { total: 42, note: "$HOME" },
  } as unknown as TrackedEvent;
  const command = makeTrackCurl(event, "https://example.com");
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", command.replace(/^curl/, "printf '%s\\0'")],
  }).output();
  const [url, , authorization, , , , body = ""] = new TextDecoder().decode(stdout).split("\0");
  assert.equal(url, "https://example.com/functions/v1/track");
  assert.equal(authorization, "Authorization: Bearer YOUR_KEY");
  assert.deepEqual(JSON.parse(body), {
    external_id: "it's ada",
    name: "order_created",
    properties: { note: "$HOME", total: 42 },
  });
});
