import assert from "node:assert/strict";
import type { Definition } from "../../dashboard/src/api/journey_definition.ts";
import { checkGraph, readDefinition } from "../../dashboard/src/api/journey_checks.ts";
import { copySteps, pasteSteps } from "../../dashboard/src/pages/journeys/model/clipboard.ts";
import {
  deleteBranchOff,
  deleteStep,
  insertStep,
  renameStep,
} from "../../dashboard/src/pages/journeys/model/edit_steps.ts";
import { readFigures } from "../../dashboard/src/pages/journeys/model/figures.ts";
import {
  addChange,
  redo,
  startHistory,
  undo,
} from "../../dashboard/src/pages/journeys/model/history.ts";
import {
  findNeighbour,
  layOut,
  measureLayout,
  nodeHeight,
  nodeWidth,
} from "../../dashboard/src/pages/journeys/model/layout.ts";
import { listInOrder } from "../../dashboard/src/pages/journeys/model/list_steps.ts";
import { entryPart } from "../../dashboard/src/pages/journeys/model/parts.ts";
import {
  describeProblem,
  messageAt,
  partOf,
  readField,
} from "../../dashboard/src/pages/journeys/model/problems.ts";
import { runState } from "../../dashboard/src/pages/journeys/model/run_state.ts";
import {
  fillSlot,
  listAllSlots,
  readSlot,
  startSlot,
} from "../../dashboard/src/pages/journeys/model/slots.ts";

/** A journey with every way of going on: next, timeout, missing date, cases and shares. */
const sample: Definition = {
  trigger: { event: "signed_up" },
  start: "hello",
  steps: {
    hello: { send: { template: "welcome", sender: "shop" }, next: "answer" },
    answer: { wait_for: { event: "answered", timeout: "3d" }, next: "fork", on_timeout: "renewal" },
    renewal: {
      wait: { until: { date: "attributes.renews_at" }, on_missing: "end" },
      next: "answer-2",
    },
    "answer-2": { update: { attributes: { late: true } } },
    fork: {
      branch: [{ when: { field: "country", op: "eq", value: "DE" }, next: "lot" }],
      else: "end",
    },
    lot: { split: [{ weight: 1, next: "end" }, { weight: 3, next: "tag" }] },
    tag: { update: { attributes: { onboarded: true } }, next: "end" },
    end: { exit: {} },
  },
};

/** Fails unless every way leads to a step that exists. */
function checkWays(definition: Definition): void {
  assert.deepEqual(checkGraph(definition).map(({ message }) => message), []);
}

Deno.test("insertStep() puts a step of each kind into a way, and the rest follows it", () => {
  for (const slot of listAllSlots(sample)) {
    for (const kind of ["wait", "wait_for", "branch", "split", "update"] as const) {
      const { definition, step } = insertStep(sample, slot, kind);
      assert.equal(readSlot(definition, slot), step);
      const ways = listAllSlots(definition).filter((way) => way.step === step);
      const expected = slot.to ?? (kind === "branch" || kind === "split" ? "end" : undefined);
      for (const { to } of ways) assert.equal(to, expected, `${slot.step} ${slot.way} ${kind}`);
      checkWays(definition);
    }
  }
  assert.equal(insertStep(sample, startSlot, "split").step, "split");
});

Deno.test("insertStep() makes an exit when a branch would lead nowhere", () => {
  const short: Definition = { trigger: { api: true }, start: "a", steps: { a: tag() } };
  const { definition } = insertStep(short, { step: "a", way: "next" }, "branch");
  assert.deepEqual(definition.steps.end, { exit: {} });
  checkWays(definition);
});

Deno.test("deleteStep() leads the ways to the step on to the one after it", () => {
  for (const id of Object.keys(sample.steps)) {
    const left = deleteStep(sample, id);
    // A branch has to lead to a step, so the last exit comes again.
    assert.equal(Object.hasOwn(left.steps, id), id === "end");
    const targets = listAllSlots(left).map(({ to }) => to).filter((to) => to !== undefined);
    for (const to of targets) assert.ok(Object.hasOwn(left.steps, to), `${id}: ${to}`);
  }
  assert.equal(deleteStep(sample, "hello").start, "answer");
  const only: Definition = { trigger: { api: true }, start: "a", steps: { a: tag() } };
  assert.deepEqual(deleteStep(only, "a").steps, { end: { exit: {} } });
  assert.equal(deleteStep(sample, "unknown"), sample);
});

Deno.test("deleteBranchOff() deletes what only the step leads to, and nothing else", () => {
  const left = deleteBranchOff(sample, "fork");
  assert.deepEqual(Object.keys(left.steps).sort(), [
    "answer",
    "answer-2",
    "end",
    "hello",
    "renewal",
  ]);
  checkWays(left);
});

Deno.test("renameStep() renames the step in every way that leads to it", () => {
  const renamed = renameStep(sample, "end", "finish");
  const names = listAllSlots(renamed).map(({ to }) => to);
  assert.equal(names.includes("end"), false);
  assert.equal(names.filter((to) => to === "finish").length, 4);
  checkWays(renamed);
});

Deno.test("fillSlot() writes what readSlot() reads, for every way", () => {
  for (const slot of listAllSlots(sample)) {
    assert.equal(readSlot(fillSlot(sample, slot, "tag"), slot), "tag", `${slot.step} ${slot.way}`);
  }
});

Deno.test("pasteSteps() gives copies free names and keeps the ways between them", () => {
  const text = copySteps(sample, ["fork", "lot", "tag"]);
  const edit = pasteSteps(sample, { step: "tag", way: "next" }, text);
  assert.equal(edit?.step, "fork-2");
  const { steps } = edit!.definition;
  assert.deepEqual(steps["fork-2"], {
    branch: [{ when: { field: "country", op: "eq", value: "DE" }, next: "lot-2" }],
    else: "end",
  });
  assert.deepEqual(steps["lot-2"], {
    split: [{ weight: 1, next: "end" }, { weight: 3, next: "tag-2" }],
  });
  checkWays(edit!.definition);
  assert.equal(pasteSteps(sample, startSlot, "not steps"), undefined);
  assert.equal(pasteSteps(sample, startSlot, '{"signalpost_steps":[]}'), undefined);
});

Deno.test("a history undoes and redoes, and joins changes of one field", () => {
  let history = startHistory("");
  for (const text of ["a", "ab", "abc"]) history = addChange(history, text, "name");
  history = addChange(history, "abc!", "other");
  assert.equal(undo(history).present, "abc");
  assert.equal(undo(undo(history)).present, "");
  assert.equal(undo(undo(undo(history))).present, "");
  assert.equal(redo(undo(history)).present, "abc!");
  assert.equal(redo(addChange(undo(history), "x")).present, "x");
});

Deno.test("layOut() places every step once, without overlaps, and draws parallel ways apart", () => {
  const { definition } = insertStep(sample, { step: "tag", way: "next" }, "split");
  const { nodes, edges } = layOut(definition);
  const boxes = nodes.filter(({ kind }) => kind !== "end");
  assert.equal(boxes.length, Object.keys(definition.steps).length + 1);
  for (const [n, one] of boxes.entries()) {
    for (const other of boxes.slice(n + 1)) {
      const isApart = Math.abs(one.x - other.x) >= nodeWidth ||
        Math.abs(one.y - other.y) >= nodeHeight;
      assert.ok(isApart, `${one.id} ${other.id}`);
    }
  }
  assert.equal(edges.length, listAllSlots(definition).length);
  const places = edges.map(({ label }) => `${Math.round(label.x)} ${Math.round(label.y)}`);
  assert.equal(new Set(places).size, places.length);
});

Deno.test("layOut() leaves room for figures below steps, and measureLayout() counts all steps", () => {
  const layout = layOut(sample, true);
  const { width, height } = measureLayout(layout);
  for (const { x, y } of layout.nodes.filter(({ kind }) => kind !== "end")) {
    assert.ok(x + nodeWidth <= width && y + nodeHeight <= height);
    const below = layout.nodes.filter((other) => other.x === x && other.y > y);
    assert.ok(below.every((other) => other.kind === "end" || other.y - y >= nodeHeight + 60));
  }
  assert.ok(height > measureLayout(layOut(sample)).height);
});

Deno.test("layOut() lets a screen of 1440 pixels show a trigger, five steps and a branch", () => {
  const definition: Definition = {
    trigger: { event: "signed_up" },
    start: "hello",
    steps: {
      hello: { send: { template: "hello", sender: "mail" }, next: "pause" },
      pause: { wait: { for: "2d" }, next: "plan" },
      plan: {
        branch: [{ when: { field: "plan", op: "eq", value: "pro" }, next: "tag" }],
        else: "end",
      },
      tag: { update: { attributes: { onboarded: true } }, next: "end" },
      end: { exit: {} },
    },
  };
  // The canvas beside the navigation, at the least zoom at which it opens.
  assert.ok(measureLayout(layOut(definition)).width <= (1126 - 48) / 0.75);
});

Deno.test("findNeighbour() follows the ways to the sides, and goes up and down", () => {
  const layout = layOut(sample);
  assert.equal(findNeighbour(layout, "@entry", "ArrowRight"), "hello");
  assert.equal(findNeighbour(layout, "hello", "ArrowLeft"), "@entry");
  const [first = "", second = ""] = ["fork", "renewal"].toSorted((a, b) => yOf(a) - yOf(b));
  assert.equal(findNeighbour(layout, first, "ArrowDown"), second);
  assert.equal(findNeighbour(layout, second, "ArrowUp"), first);

  function yOf(id: string): number {
    return layout.nodes.find((node) => node.id === id)!.y;
  }
});

Deno.test("problems are shown at the step that the api names", () => {
  const part = (field: string) => partOf({ path: readField(field), message: "" });
  assert.deepEqual(readField('definition.steps["wait-2d"].wait.for'), [
    "steps",
    "wait-2d",
    "wait",
    "for",
  ]);
  assert.equal(part('definition.steps["wait-2d"].branch[0].when'), "wait-2d");
  assert.equal(part("definition.goal.event"), "@ends");
  assert.equal(part("definition.entry.when.all[1]"), "@entry");
});

Deno.test("a field that is not filled in yet says what to do", () => {
  const template = {
    path: ["steps", "hello", "send", "template"],
    message: "must be an id or a key",
  };
  assert.equal(describeProblem(template), "Choose a template");
  assert.equal(messageAt([template], template.path), "Choose a template");
  const when = ["steps", "fork", "branch", 0, "when"];
  const empty = { path: [...when, "all"], message: "must be a list of 1 to 100 conditions" };
  assert.equal(messageAt([empty], when), "Add a condition");
  const length = { path: ["steps", "pause", "wait", "for"], message: "must be a duration" };
  const event = {
    path: ["trigger", "event"],
    message: "must be 1 to 200 characters long: it has 0",
  };
  assert.equal(describeProblem(event), "trigger.event is required");
  assert.equal(messageAt([event], event.path), "is required");
  assert.equal(describeProblem(length), "wait.for must be a duration");
  const message = 'must be a duration such as "7d", up to 400d';
  const text = "Enter a whole number from 1, up to 400 days";
  assert.equal(messageAt([{ ...length, message }], length.path), text);
});

Deno.test("readFigures() counts a timeout with the event unless it has a way of its own", () => {
  const { answer, ...steps } = sample.steps;
  const joined = { ...sample, steps: { ...steps, answer: { ...answer!, on_timeout: undefined } } };
  const counted = {
    entered: 9,
    holdout: { entered: 0 },
    steps: [{ step: "answer", came: 9, waiting: 1, ways: { next: 5, timeout: 3 } }],
  };
  assert.equal(readFigures(sample, counted).ways.get("answer next"), "5");
  assert.equal(readFigures(sample, counted).ways.get("answer timeout"), "3");
  assert.equal(readFigures(joined as Definition, counted).ways.get("answer next"), "8");
  assert.equal(readFigures(sample, counted).steps.get("answer"), "1 here now · 9 reached");
});

Deno.test("readFigures() says what went wrong at a step, the most frequent first", () => {
  const counted = { step: "hello", came: 900, ways: {}, sent: 440, opened: 0, clicked: 0 };
  const { troubles } = readFigures(sample, {
    entered: 900,
    holdout: { entered: 0 },
    steps: [
      { ...counted, skipped: { unsubscribed: 7, no_address: 450 }, failed: 3, bounced: 0 },
      { step: "answer", came: 1, ways: {}, skipped: {} },
    ],
  });
  assert.equal(troubles.get("hello"), "450 no address, 10 other");
  assert.equal(troubles.get("answer"), "");
});

Deno.test("readFigures() counts runs that ended at a step on none of its ways", () => {
  const figures = readFigures(sample, {
    entered: 9,
    holdout: { entered: 0 },
    // The way "exit" is that of an erased customer, as of all runs that end from outside.
    steps: [
      { step: "answer", came: 9, ways: { next: 4, timeout: 2, exit: 1, move: 1, replay: 1 } },
      { step: "hello", came: 4, ways: { exit: 4 } },
    ],
  });
  assert.equal(figures.ways.get("answer next"), "4");
  assert.equal(figures.ways.get("answer timeout"), "2");
  assert.equal(figures.ways.get("hello next"), "0");
});

Deno.test("readFigures() counts emails, and who opened them unless it was a rehearsal", () => {
  const describe = (figures: { sent: number; opened?: number; clicked?: number }) =>
    readFigures(sample, {
      entered: 849,
      holdout: { entered: 0 },
      steps: [{ step: "hello", came: 849, ways: {}, ...figures }],
    })
      .steps.get("hello");
  assert.equal(describe({ sent: 1399 }), "849 reached · 1,399 emails");
  assert.equal(describe({ sent: 1 }), "849 reached · 1 email");
  assert.equal(
    describe({ sent: 399, opened: 20, clicked: 0 }),
    "849 reached · 399 sent, 20 opened, 0 clicked",
  );
  assert.equal(describe({ sent: 0, opened: 0, clicked: 0 }), "849 reached");
});

Deno.test("readFigures() counts who entered at the trigger, and apart those who were held out", () => {
  const read = (heldOut: number) =>
    readFigures(sample, { entered: 1849, holdout: { entered: heldOut }, steps: [] });
  assert.equal(read(0).steps.get(entryPart), "1,849 entered");
  assert.equal(read(849).steps.get(entryPart), "1,000 entered · 849 held out");
  assert.equal(read(849).ways.get(`${entryPart} start`), "1,000");
});

Deno.test("runState() calls a run stuck that should have moved two minutes ago", () => {
  const now = Date.parse("2026-12-01T12:00:00Z");
  const run = (wake_at: string) => ({ state: "active" as const, wake_at, reason: null });
  assert.equal(runState(run("2026-12-01T11:57:00Z"), { now }).label, "Stuck");
  assert.equal(runState(run("2026-12-01T11:59:00Z"), { now }).label, "Inside");
  assert.equal(runState(run("2026-12-01T11:57:00Z"), { now, isPaused: true }).label, "Inside");
});

Deno.test("a journey of 60 steps keeps its order, and reads as a definition", () => {
  let definition: Definition = {
    trigger: { event: "a" },
    start: "end",
    steps: { end: { exit: {} } },
  };
  for (let n = 0; n < 59; n++) {
    definition = insertStep(definition, startSlot, n % 3 === 0 ? "split" : "wait").definition;
  }
  assert.equal(listInOrder(definition).length, 60);
  assert.equal(readDefinition(definition).ok, true);
  checkWays(definition);
});

function tag() {
  return { update: { attributes: { onboarded: true } } };
}
