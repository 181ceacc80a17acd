import type { Sql } from "../_shared/db/connect.ts";
import type { Definition } from "../_shared/journeys/definition.ts";
import { RenderError } from "../_shared/templates/liquid.ts";
import { renderTemplate } from "../_shared/templates/render_template.ts";
import { advance } from "./advance.ts";
import { runDry } from "./run_dry.ts";
import type { Effect, Move } from "./facts.ts";
import { type ClaimedRun, completeRuns } from "./run_queue.ts";

/** Event that the customer of a simulation has at a time. */
export interface SimulatedEvent {
  name: string;
  /** RFC 3339. */
  at: string;
  properties?: Readonly<Record<string, unknown>> | undefined;
}

/** Customer, definition and time of a simulation. */
export interface Simulation {
  workspace_id: string;
  journey_id: string;
  /** With ids instead of keys. */
  definition: Definition;
  /** An existing customer; without one, a customer with this profile is made up. */
  customer_id?: string | undefined;
  profile?: Readonly<Record<string, unknown>> | undefined;
  /** Without events, the customer enters at once. */
  events?: readonly SimulatedEvent[] | undefined;
  trigger?: Readonly<Record<string, unknown>> | undefined;
  /** RFC 3339: the end of the simulated time. */
  until: string;
}

/** A step of a simulation, with what it would do. */
export type SimulatedMove = Omit<Move, "effect"> & { would?: Effect & { rendered?: unknown } };

export interface SimulationResult {
  /** False if the customer did not enter, with the reason. */
  entered: boolean;
  not_entered: string | null;
  path: SimulatedMove[];
  state: string | null;
  reason: string | null;
  step: string | null;
  wake_at: Date | null;
}

/** Most turns of a simulation: a loop with short waits may not come to an end. */
const maxTurns = 500;

/**
 * Runs a definition for one customer with the real engine, from event to event and from timer to
 * timer, in a transaction that is rolled back.
 */
export async function simulate(
  sql: Sql,
  simulation: Simulation,
  startAt: Date,
): Promise<SimulationResult> {
  return await runDry(sql, (tx) => runSimulation(tx, simulation, startAt));
}

interface SimulatedRun {
  workspace_id: string;
  journey_id: string;
  customer_id: string;
}

async function runSimulation(
  tx: Sql,
  simulation: Simulation,
  startAt: Date,
): Promise<SimulationResult> {
  const { workspace_id, journey_id, definition, customer_id, profile = {} } = simulation;
  const options = JSON.stringify({ definition, customer_id, profile });
  const [started] = await tx<{ id: string }[]>`
    select private.start_simulation(${workspace_id}, ${journey_id}, ${options}::text::jsonb) as id`;
  const run: SimulatedRun = { workspace_id, journey_id, customer_id: started!.id };
  const events = (simulation.events ?? []).map((event, place) => ({ ...event, place }))
    .sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const path: SimulatedMove[] = [];
  let refusal = events.length > 0
    ? null
    : await enter(tx, { ...run, trigger: simulation.trigger }, startAt);
  for (let turn = 0; turn < maxTurns; turn++) {
    const due = (await readRun(tx, run))?.due_at?.getTime() ?? Infinity;
    const next = events.length > 0 ? Date.parse(events[0]!.at) : Infinity;
    const now = Math.min(due, next);
    if (now === Infinity || now > Date.parse(simulation.until)) break;
    if (next <= due) {
      refusal = await addEvent(tx, run, events.shift()!) ?? refusal;
      continue;
    }
    path.push(...await takeTurn(tx, { run, definition, now }));
  }
  const end = await readRun(tx, run);
  const { state = null, reason = null, step = null, wake_at = null } = end ?? {};
  const not_entered = end === undefined ? refusal ?? "not_triggered" : null;
  return { entered: end !== undefined, not_entered, path, state, reason, step, wake_at };
}

async function enter(
  tx: Sql,
  run: SimulatedRun & { trigger?: unknown },
  at: Date,
): Promise<string | null> {
  const [row] = await tx<{ refusal: string }[]>`
    select private.simulate_entry(${
    JSON.stringify(run)
  }::text::jsonb, ${at.toISOString()}) as refusal`;
  return row!.refusal === "entered" ? null : row!.refusal;
}

async function addEvent(tx: Sql, run: SimulatedRun, event: SimulatedEvent): Promise<string | null> {
  const [row] = await tx<{ refusal: string | null }[]>`
    select private.simulate_event(
      ${JSON.stringify(run)}::text::jsonb, ${JSON.stringify(event)}::text::jsonb
    ) as refusal`;
  return row!.refusal === "entered" ? null : row!.refusal;
}

interface StandingRun {
  state: string;
  reason: string | null;
  step: string;
  wake_at: Date | null;
  due_at: Date | null;
}

async function readRun(tx: Sql, run: SimulatedRun): Promise<StandingRun | undefined> {
  const rows = await tx<StandingRun[]>`
    select * from private.simulated_run(${JSON.stringify(run)}::text::jsonb)`;
  return rows[0];
}

async function takeTurn(
  tx: Sql,
  { run, definition, now }: { run: SimulatedRun; definition: Definition; now: number },
): Promise<SimulatedMove[]> {
  const at = new Date(now);
  const claimed = await tx<ClaimedRun[]>`
    select * from private.claim_simulated(${
    JSON.stringify(run)
  }::text::jsonb, ${at.toISOString()})`;
  const moves: SimulatedMove[] = [];
  for (const one of claimed) {
    const turn = advance(definition, one, now);
    await completeRuns(tx, [{ ...one, ...turn }], at);
    for (const { effect, ...move } of turn.moves) {
      const would = effect && await describeEffect(tx, { effect, run: one, at });
      moves.push(would ? { ...move, would } : move);
    }
  }
  return moves;
}

async function describeEffect(
  tx: Sql,
  { effect, run, at }: { effect: Effect; run: ClaimedRun; at: Date },
): Promise<Effect & { rendered?: unknown }> {
  if (!("send" in effect)) return effect;
  const [template] = await tx<TemplateRow[]>`
    select * from private.template_contents(${run.workspace_id}, ${effect.send.template}::uuid)`;
  if (template === undefined) return { ...effect, rendered: null };
  const { strict, workspace_name, ...contents } = template;
  try {
    const rendered = renderTemplate(contents, {
      customer: run.facts.customer ?? {},
      trigger: run.trigger,
      workspace: { id: run.workspace_id, name: workspace_name },
      unsubscribe_url: "https://example.com/unsubscribe",
      preferences_url: "https://example.com/preferences",
      now: at,
    }, strict);
    return { ...effect, rendered };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { ...effect, rendered: { error: error.message, reason: error.reason } };
  }
}

interface TemplateRow {
  subject: string;
  html: string | null;
  text: string | null;
  strict: boolean;
  workspace_name: string;
}
