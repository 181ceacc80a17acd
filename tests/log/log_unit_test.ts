import assert from "node:assert/strict";
import { createLog, errorFields } from "../../supabase/functions/_shared/log/log.ts";

Deno.test("createLog() writes one line of JSON per call and drops lines below its level", () => {
  const lines: string[] = [];
  const log = createLog({
    name: "track",
    level: "warn",
    write: (line) => lines.push(line),
    now: () => new Date(0),
  });
  log.debug("a");
  log.info("b");
  log.warn("c", { status: 429 });
  log.error("d\n");
  assert.deepEqual(lines.map((line) => JSON.parse(line)), [
    { time: "1970-01-01T00:00:00.000Z", level: "warn", function: "track", msg: "c", status: 429 },
    { time: "1970-01-01T00:00:00.000Z", level: "error", function: "track", msg: "d\n" },
  ]);
  assert(lines.every((line) => !line.includes("\n")));
});

Deno.test("errorFields() omits the data of a failed statement", () => {
  const error = Object.assign(new Error("failed"), {
    code: "23505",
    detail: "Key (email)=(ada@example.com)",
    parameters: ["ada@example.com"],
  });
  const fields = errorFields(error);
  assert.equal(fields.error_code, "23505");
  assert(!JSON.stringify(fields).includes("ada@"));
});
