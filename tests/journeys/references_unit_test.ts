import assert from "node:assert/strict";
import { ApiError } from "../../supabase/functions/_shared/errors/errors.ts";
import {
  findProblems,
  requirePublishable,
} from "../../supabase/functions/api/contract/journeys/check_definition.ts";
import { listReferences } from "../../supabase/functions/api/contract/journeys/references.ts";
import { formatPath } from "../../supabase/functions/_shared/json/json.ts";
import { fullDefinition, readValid, smallestDefinition } from "../../testing/data/journeys.ts";

const id = (n: number) => `0192f3c4-7a10-7cc3-8f4e-1b2a3c4d5e${n.toString().padStart(2, "0")}`;
const hook = fullDefinition.steps.hook.webhook.destination;

const found = [
  { kind: "template", name: "welcome", id: id(1), has_unsubscribe: true },
  { kind: "sender", name: "shop", id: id(2), has_unsubscribe: null },
  { kind: "topic", name: "news", id: id(3), has_unsubscribe: null },
  { kind: "segment", name: "vip", id: id(4), has_unsubscribe: null },
  { kind: "destination", name: hook, id: hook, has_unsubscribe: null },
];

Deno.test("listReferences() finds every name with its place", () => {
  const definition = readValid({
    ...fullDefinition,
    trigger: { segment: "buyers", on: "enter" },
    entry: { when: { any: [{ not: { segment: "staff" } }, { journey: "other", state: "ever" }] } },
  });
  const listed = listReferences(definition);
  assert.deepEqual(listed.map(({ kind, name, path }) => `${kind} ${name} ${formatPath(path)}`), [
    "segment buyers trigger.segment",
    "segment staff entry.when.any[0].not.segment",
    "journey other entry.when.any[1].journey",
    "topic news exit_when.not.topic",
    "template welcome steps.welcome.send.template",
    "sender shop steps.welcome.send.sender",
    "topic news steps.welcome.send.topic",
    "segment vip steps.b.branch[0].when.segment",
    `destination ${hook} steps.hook.webhook.destination`,
  ]);
});

Deno.test("a published definition has ids instead of keys, and the draft keeps its keys", () => {
  const draft = readValid(fullDefinition);
  const before = structuredClone(draft);
  const published = requirePublishable(draft, found);
  assert.deepEqual(draft, before);
  assert.deepEqual(published.exit_when, { not: { topic: id(3), subscribed: true } });
  assert.deepEqual(published.steps.welcome, {
    send: { ...fullDefinition.steps.welcome.send, template: id(1), sender: id(2), topic: id(3) },
    next: "wait-2d",
  });
  assert.deepEqual(published.steps.b, {
    branch: [{ when: { segment: id(4) }, next: "tag" }],
    else: "end",
  });
});

Deno.test("a refusal names every fault of the whole at once, with the step", () => {
  const draft = readValid({
    ...fullDefinition,
    steps: { ...fullDefinition.steps, island: { exit: {} } },
  });
  const error = (() => {
    try {
      requirePublishable(draft, []);
    } catch (error) {
      return error;
    }
  })();
  assert(error instanceof ApiError);
  assert.deepEqual([error.code, error.status], ["invalid_input", 400]);
  const texts = error.details!.map(({ field, message }) => `${field} ${message}`);
  const none = (kind: string, name: string) =>
    `must name a ${kind}: none has the id or key ${JSON.stringify(name)}`;
  assert.deepEqual(texts, [
    "definition.steps.island cannot be reached from the first step",
    `definition.exit_when.not.topic ${none("topic", "news")}`,
    `definition.steps.welcome.send.template ${none("template", "welcome")}`,
    `definition.steps.welcome.send.sender ${none("sender", "shop")}`,
    `definition.steps.welcome.send.topic ${none("topic", "news")}`,
    `definition.steps.b.branch[0].when.segment ${none("segment", "vip")}`,
    `definition.steps.hook.webhook.destination must name a destination: none has the id "${hook}"`,
  ]);
  assert.deepEqual(findProblems(draft, []), error.details);
});

Deno.test("a marketing send needs a template with a link to unsubscribe, a transactional one does not", () => {
  const plain = found.map((one) =>
    one.kind === "template" ? { ...one, has_unsubscribe: false } : one
  );
  assert.deepEqual(findProblems(readValid(fullDefinition), plain), [{
    field: "definition.steps.welcome.send.template",
    message: "must have an unsubscribe link for a send with a topic: its body has neither " +
      "unsubscribe_url nor preferences_url",
  }]);
  const transactional = readValid({
    ...smallestDefinition,
    start: "mail",
    steps: { mail: { send: { template: "welcome", sender: "shop" } } },
  });
  assert.deepEqual(findProblems(transactional, plain), []);
});

Deno.test("a refusal names at most 100 problems", () => {
  const steps = Object.fromEntries(
    Array.from({ length: 150 }, (_, n) => [`s${n}`, { exit: {} }]),
  );
  const draft = readValid({ ...smallestDefinition, start: "s0", steps });
  assert.equal(findProblems(draft, []).length, 100);
});
