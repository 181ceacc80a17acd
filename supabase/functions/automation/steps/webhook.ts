import type { WebhookStep } from "../../_shared/journeys/definition.ts";
import { parseLiquid, RenderError, renderLiquid } from "../../_shared/templates/liquid.ts";
import { goNext, type StepContext, type StepResult } from "./step.ts";

const options = { isHtml: false, isStrict: false };

/** Sends a message to one destination. */
export function takeWebhook(step: WebhookStep, context: StepContext): StepResult {
  const { run, isPassedBy, now } = context;
  const { destination, data = {} } = step.webhook;
  const go = goNext(step);
  if (isPassedBy) return { go: { ...go, skipped: "passed_by" } };
  const variables = {
    customer: run.facts.customer ?? {},
    trigger: run.trigger,
    journey: { id: run.journey_id, name: run.journey_name, version: run.version },
    run: { id: run.run_id },
    now: new Date(now),
  };
  try {
    return { go, effect: { webhook: { destination, data: renderTexts(data, variables) } } };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return { go: { ...go, skipped: error.reason } };
  }
}

/** Renders every text of a JSON value as Liquid. */
function renderTexts(value: unknown, variables: Readonly<Record<string, unknown>>): unknown {
  if (typeof value === "string") {
    return value.includes("{")
      ? renderLiquid(parseLiquid(value, options), variables, options)
      : value;
  }
  if (Array.isArray(value)) return value.map((item) => renderTexts(item, variables));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, renderTexts(item, variables)]);
  return Object.fromEntries(entries);
}
