import { ingestFor } from "../data/erasures.ts";
import type { ApiWorld } from "./api_world.ts";

/** Signs an owner in, and returns what makes calls as this owner. */
export async function createOwner(world: ApiWorld) {
  const token = await world.signInAs("owner");
  return (method: string, path: string, body?: unknown) =>
    world.send({ method, path, token, workspaceId: world.workspaceId, body });
}

type Act = Awaited<ReturnType<typeof createOwner>>;

/** Makes templates, a sender, a topic and two customers: ada has an address, bob has none. */
export async function prepareSends(world: ApiWorld, act: Act) {
  await act("PUT", "/templates/plain", {
    name: "Plain",
    subject: "Hello {{ customer.first_name }}",
    html: "<p>Order {{ trigger.order }} &amp; {{ trigger.note }}</p>",
  });
  await act("PUT", "/templates/news", {
    name: "News",
    subject: "News",
    html: '<a href="{{ unsubscribe_url }}">Leave</a>',
  });
  await act("PUT", "/senders/main", {
    name: "Main",
    provider: "inbox",
    from: "Acme <hello@acme.example>",
  });
  await act("PUT", "/topics/news", { name: "News", default: "subscribed" });
  const [ada, bob] = await ingestFor(world.sql, world.workspaceId, [
    {
      kind: "identify",
      external_id: "ada",
      profile: { email: "ada@example.com", first_name: "Ada" },
    },
    { kind: "identify", external_id: "bob", profile: { first_name: "Bob" } },
  ]);
  return { ada: ada!, bob: bob! };
}
