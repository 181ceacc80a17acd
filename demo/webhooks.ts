import { callApi, type Delivery, type Destination } from "./call_api.ts";
import type { Received, Receiver } from "./receiver.ts";
import type { RunningStack } from "./running_stack.ts";

/** Results of the messages to the demo's destination. */
export interface WebhookOutcome {
  url: string;
  eventTypes: string[];
  received: Received;
  /** Every attempt of one message that was failed on purpose, oldest first. */
  attempts: Delivery[];
  replay: Replay | undefined;
}

/** A message that was sent once more, and whether it came with the same id and bytes. */
export interface Replay {
  messageId: string;
  eventType: string;
  isSame: boolean;
}

const destinationName = "Demo receiver";
const sentEventTypes = ["purchase", "customer.merged"];
const patienceMs = 60_000;
const pollMs = 100;

/** The destination of the demo, made on its first run, pointing at this run's receiver. */
export async function setUpDestination(
  stack: RunningStack,
  receiver: Receiver,
): Promise<Destination> {
  const { data } = await callApi<{ data: Destination[] }>(stack, {
    path: "/destinations?limit=200",
  });
  const known = data.find(({ name }) => name === destinationName);
  const settings = { url: receiver.url, event_types: sentEventTypes };
  if (known === undefined) {
    const made = await callApi<Destination & { secret: string }>(stack, {
      method: "POST",
      path: "/destinations",
      body: { name: destinationName, ...settings },
    });
    receiver.secret = made.secret;
    return made;
  }
  const path = `/destinations/${known.id}`;
  // A secret is shown once: this run needs one of its own.
  const rotated = await callApi<{ secret: string }>(stack, {
    method: "POST",
    path: `${path}/rotate-secret`,
    body: { overlap_seconds: 0 },
  });
  receiver.secret = rotated.secret;
  return await callApi(stack, { method: "PATCH", path, body: { ...settings, enabled: true } });
}

/** Waits for deliveries and retries, sends a ping and a replay, and returns the results. */
export async function watchDeliveries(
  stack: RunningStack,
  { id, event_types: eventTypes, url }: Destination,
  received: Received,
): Promise<WebhookOutcome> {
  await callApi(stack, { method: "POST", path: `/destinations/${id}/test` });
  await waitUntilSent(stack, id);
  const replay = await replayLatest(stack, id, received);
  const failed = received.failed[0];
  const attempts = failed === undefined ? [] : await findAttempts(stack, id, failed);
  // Nobody listens there when the demo has ended.
  await callApi(stack, { method: "PATCH", path: `/destinations/${id}`, body: { enabled: false } });
  return { url, eventTypes, received, attempts, replay };
}

async function waitUntilSent(stack: RunningStack, id: string): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  while (performance.now() < endsAt) {
    const { health } = await callApi<Destination>(stack, { path: `/destinations/${id}` });
    if (health.pending === 0) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  throw new Error(`Cannot wait any longer: messages are pending after ${patienceMs / 1000} s`);
}

async function replayLatest(
  stack: RunningStack,
  id: string,
  received: Received,
): Promise<Replay | undefined> {
  const path = `/deliveries?destination_id=${id}&event_type=purchase&ok=true&limit=1`;
  const { data: [delivery] } = await callApi<{ data: Delivery[] }>(stack, { path });
  if (delivery === undefined) return undefined;
  const { message_id: messageId, event_type: eventType } = delivery;
  const before = received.messages.get(messageId)?.attempts ?? 0;
  await callApi(stack, { method: "POST", path: `/deliveries/${delivery.id}/replay` });
  await waitUntilSent(stack, id);
  const message = received.messages.get(messageId);
  return { messageId, eventType, isSame: message?.attempts === before + 1 && message.isSame };
}

async function findAttempts(
  stack: RunningStack,
  id: string,
  messageId: string,
): Promise<Delivery[]> {
  const path = `/deliveries?destination_id=${id}&ok=false&limit=200`;
  const { data } = await callApi<{ data: Delivery[] }>(stack, { path });
  const failed = data.find(({ message_id }) => message_id === messageId);
  if (failed === undefined) return [];
  const detail = await callApi<{ attempts: Delivery[] }>(stack, {
    path: `/deliveries/${failed.id}`,
  });
  return detail.attempts.reverse();
}
