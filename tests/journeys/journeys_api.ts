import assert from "node:assert/strict";
import { smallestDefinition } from "../../testing/data/journeys.ts";
import { ingestEntries } from "../../testing/data/ingest.ts";
import { createApiWorld } from "../../testing/service/api_world.ts";

/** An api with a key for journeys, and a customer. */
export async function createService() {
  const world = await createApiWorld();
  const scopes = ["journeys:read", "journeys:write", "customers:read"] as const;
  const token = await world.createKey(scopes);
  const [person] = await ingestEntries(world.sql, [{
    workspace_id: world.workspaceId,
    kind: "identify",
    external_id: "ada",
    profile: { email: "ada@example.com" },
  }]);
  assert(person?.ok);
  return {
    world,
    customerId: person.customer_id!,
    call: (method: string, path: string, body?: unknown) =>
      world.send({ method, path, token, body }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

type Service = Awaited<ReturnType<typeof createService>>;

/** A journey that waits for two days. */
export const waiting = {
  ...smallestDefinition,
  entry: { key: "trigger.cart_id", again: "after_exit" },
  start: "pause",
  steps: { pause: { wait: { for: "2d" }, next: "end" }, end: { exit: {} } },
};

/** Creates and publishes a journey with the key `k`. */
export async function publish({ call }: Service, definition: unknown): Promise<void> {
  const put = await call("PUT", "/journeys/k", { name: "K", definition });
  assert([200, 201].includes(put.status), JSON.stringify(put.body));
  const published = await call("POST", "/journeys/k/publish");
  assert.equal(published.status, 200, JSON.stringify(published.body));
}
