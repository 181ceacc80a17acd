import assert from "node:assert/strict";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import { createLargeBodies } from "../../supabase/functions/track/large_bodies.ts";

const kib = 1024;

function wire(bytes: number, format?: "gzip") {
  return { bytes: new Uint8Array(bytes), format };
}

/** Reads that end when the test says so. */
function createWorld() {
  const bodies = createLargeBodies(() => new Date(0));
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  return {
    started,
    read: (workspaceId: string, name: string, body = wire(300 * kib)) =>
      bodies.readInOrder(workspaceId, body, () => {
        started.push(name);
        return new Promise<string>((resolve, reject) => {
          ends.set(name, (error) => error ? reject(error) : resolve(name));
        });
      }),
    end: async (name: string, error?: Error) => {
      ends.get(name)!(error);
      await settle();
    },
  };
}

function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

Deno.test("readInOrder() reads one large body of a workspace at a time, in the order they came", async () => {
  const { started, read, end } = createWorld();
  const reads = [read("a", "first"), read("a", "second"), read("a", "third", wire(1, "gzip"))];
  const failed = assert.rejects(reads[1]!, /broken/);
  await settle();
  assert.deepEqual(started, ["first"]);
  await end("first");
  assert.deepEqual(started, ["first", "second"]);
  // A failure holds up nothing.
  await end("second", new Error("broken"));
  assert.deepEqual(started, ["first", "second", "third"]);
  await end("third");
  await failed;
  assert.deepEqual(await Promise.all([reads[0], reads[2]]), ["first", "third"]);
});

Deno.test("readInOrder() lets bodies of normal size and of other workspaces pass", async () => {
  const { started, read } = createWorld();
  read("a", "large");
  read("a", "another large");
  read("a", "ordinary", wire(200 * kib));
  read("b", "a neighbour's");
  await settle();
  assert.deepEqual(started.toSorted(), ["a neighbour's", "large", "ordinary"]);
});

Deno.test("readInOrder() refuses more than 10.5 MB of one workspace until some is read", async () => {
  const { read, end } = createWorld();
  const names = Array.from({ length: 10 }, (_, i) => `body ${i}`);
  const reads = names.map((name) => read("a", name, wire(kib * kib)));
  await assert.rejects(read("a", "one more", wire(kib * kib)), (error) => {
    return error instanceof ApiError && error.code === "unavailable" && error.status === 503;
  });
  reads.push(read("b", "a neighbour's", wire(kib * kib)));
  await settle();
  await end("body 0");
  reads.push(read("a", "the next", wire(kib * kib)));
  for (const name of [...names.slice(1), "the next", "a neighbour's"]) await end(name);
  assert.equal((await Promise.all(reads)).length, 12);
});
