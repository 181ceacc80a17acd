import assert from "node:assert/strict";
import { z } from "zod";
import { pageOf, paging } from "../../supabase/functions/api/contract/fields.ts";
import { defineExport } from "../../supabase/functions/api/kernel/define_export.ts";
import {
  type ApiRoute,
  type Call,
  defineRoute,
  type StreamedResponse,
} from "../../supabase/functions/api/kernel/route.ts";

/** A list of numbers from 1 to 450, and the limits of its reads. */
function createList() {
  const limits: number[] = [];
  const list = defineRoute({
    operationId: "listNumbers",
    method: "GET",
    path: "/numbers",
    tag: "Numbers",
    summary: "List numbers",
    scopes: ["events:read"],
    leastRole: "viewer",
    query: z.strictObject({ above: z.string().optional(), ...paging }),
    status: 200,
    response: pageOf(z.object({ n: z.number() })),
    handle({ query: { limit, cursor = "0" } }) {
      limits.push(limit);
      const start = Number(cursor);
      const end = Math.min(450, start + limit);
      const data = Array.from({ length: end - start }, (_, index) => ({ n: start + index + 1 }));
      return Promise.resolve({ data, next_cursor: end < 450 ? String(end) : null });
    },
  });
  const made = defineExport(list, {
    operationId: "exportNumbers",
    path: "/numbers/export",
    summary: "Export numbers",
    nameFile: () => "numbers",
  });
  const route = made as unknown as ApiRoute;
  const start = (query: Record<string, unknown>) => {
    const call = { query, params: {}, readLater: (work: (tx: unknown) => unknown) => work({}) };
    return route.handle(call as unknown as Call) as Promise<StreamedResponse>;
  };
  return { limits, route, start };
}

Deno.test("an export reads one page at a time, and none after the caller has left", async () => {
  const { limits, start } = createList();
  const { parts, fileName } = await start({ format: "ndjson" });
  assert.deepEqual([fileName, limits], ["numbers.ndjson", []]);
  const reader = parts[Symbol.asyncIterator]();
  assert.match((await reader.next()).value, /^\{"n":1\}\n/);
  assert.deepEqual(limits, [200]);
  await reader.return?.();
  assert.equal((await reader.next()).done, true);
  assert.deepEqual(limits, [200]);
});

Deno.test("an export has every row of all pages, and the filters of the list without pages", async () => {
  const { limits, route, start } = createList();
  const { parts } = await start({ format: "csv" });
  const text = (await Array.fromAsync(parts)).join("");
  assert.equal(text.trimEnd().split("\r\n").length, 1 + 450);
  assert.deepEqual(limits, [200, 200, 200]);
  assert.deepEqual(Object.keys(route.query!.shape).toSorted(), ["above", "format"]);
  assert.equal(route.query!.safeParse({ limit: "5" }).success, false);
});
