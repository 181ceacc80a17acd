import assert from "node:assert/strict";
import { startTestCluster } from "../../testing/postgres/cluster.ts";
import { fetchPostgres, otherMajors } from "../../testing/postgres/postgres_versions.ts";
import { startTestStack } from "../../testing/service/stack.ts";

const entries = [
  { anon_id: "visitor", name: "page_viewed", idempotency_key: "first" },
  { type: "identify", external_id: "user-1", anon_id: "visitor", email: "someone@example.com" },
  { type: "identify", external_id: "user-2", attributes: { plan: "pro" } },
  { type: "alias", external_id: "user-1", previous_id: "user-2" },
  { external_id: "user-2", name: "order_created", properties: { total: 42 } },
  { anon_id: "visitor", name: "page_viewed", idempotency_key: "first" },
];

for (const major of otherMajors) {
  Deno.test(`the service runs on an existing Postgres ${major}`, async () => {
    await using cluster = await startTestCluster({ package: await fetchPostgres(major) });
    await using stack = await startTestStack({ args: ["--database-url", cluster.url] });
    const response = await fetch(`${stack.info.base_url}/functions/v1/track`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${stack.info.api_key}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ events: entries }),
    });
    const { results, ...summary } = await response.json();
    assert.deepEqual(summary, { ok: true, accepted: 5, duplicates: 1, rejected: 0 });
    // After the alias both ids lead to one customer.
    assert.equal(results[4].customer_id, results[3].customer_id);
    const found = await fetch(`${stack.info.base_url}/functions/v1/api/customers?q=someone`, {
      headers: { authorization: `Bearer ${stack.info.api_key}` },
    });
    const { data } = await found.json();
    assert.deepEqual(data.map(({ id }: { id: string }) => id), [results[4].customer_id]);
  });
}
