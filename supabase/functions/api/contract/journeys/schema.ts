import { z } from "zod";
import type { Definition } from "../../../_shared/journeys/definition.ts";
import { describeDefinition } from "./describe_definition.ts";
import { readDefinition } from "./read_definition.ts";

/** A definition: checked as a whole, so that the path of an error names the step. */
export const definition = z.custom<Definition>((value) => value !== undefined, {
  error: "is required",
}).meta(describeDefinition()).check((payload) => {
  const read = readDefinition(payload.value);
  if (read.ok) payload.value = read.definition;
  else {
    payload.issues.push(...read.faults.map(({ path, message }) => ({
      code: "custom" as const,
      message,
      path: [...path],
      input: payload.value,
    })));
  }
}).meta({ id: "JourneyDefinition" });
