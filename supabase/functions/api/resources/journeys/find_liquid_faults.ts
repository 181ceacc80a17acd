import type { Definition } from "../../../_shared/journeys/definition.ts";
import type { JsonFault, JsonPath } from "../../../_shared/json/json.ts";
import { parseLiquid, RenderError } from "../../../_shared/templates/liquid.ts";

/** Finds texts of webhooks that are not Liquid; paths are relative to the definition. */
export function findLiquidFaults({ steps }: Definition): JsonFault[] {
  return Object.entries(steps).flatMap(([name, step]) =>
    "webhook" in step ? checkTexts(step.webhook.data, ["steps", name, "webhook", "data"]) : []
  );
}

function checkTexts(value: unknown, path: JsonPath): JsonFault[] {
  if (typeof value === "string") return checkText(value, path);
  if (typeof value !== "object" || value === null) return [];
  const members: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return members.flatMap(([name, member]) => checkTexts(member, [...path, name]));
}

function checkText(text: string, path: JsonPath): JsonFault[] {
  try {
    parseLiquid(text, { isHtml: false, isStrict: false });
    return [];
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return [{ path, message: `is not Liquid: ${error.message}` }];
  }
}
