import type { Definition } from "../../_shared/journeys/definition.ts";
import { ApiError, unavailable } from "../../_shared/errors/errors.ts";
import { simulation } from "../contract/simulations.ts";
import type { z } from "zod";

/** A simulation that the function automation runs. */
export interface SimulationRequest {
  workspace_id: string;
  journey_id: string;
  /** Checked, with ids instead of keys. */
  definition: Definition;
  customer_id?: string | undefined;
  profile?: Readonly<Record<string, unknown>> | undefined;
  events?: readonly { name: string; at: string; properties?: unknown }[] | undefined;
  trigger?: Readonly<Record<string, unknown>> | undefined;
  /** RFC 3339. */
  until: string;
}

/** Runs a journey for one customer and changes nothing. */
export type Simulator = (request: SimulationRequest) => Promise<z.output<typeof simulation>>;

export interface SimulatorOptions {
  /** Base URL of the functions: `https://<ref>.supabase.co/functions/v1`. */
  functionsUrl: string;
  /** The secret key named `dispatch`; without it nothing is simulated. */
  key: string | undefined;
  /** @default the global `fetch` */
  fetch?: (request: Request) => Promise<Response>;
  /** Longest wait for the response. @default 15_000 */
  timeoutMs?: number;
}

/** Creates the client of `POST /automation/simulate`. */
export function createSimulator(
  { functionsUrl, key, fetch: send = fetch, timeoutMs = 15_000 }: SimulatorOptions,
): Simulator {
  return async (request) => {
    try {
      if (key === undefined) throw new Error('Cannot simulate: no secret key named "dispatch"');
      const response = await send(
        new Request(`${functionsUrl}/automation/simulate`, {
          method: "POST",
          headers: { "apikey": key, "content-type": "application/json" },
          body: JSON.stringify(request),
          signal: AbortSignal.timeout(timeoutMs),
        }),
      );
      if (response.status === 404) throw new ApiError("not_found", "Customer does not exist");
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`Cannot simulate: automation responded with ${response.status}`);
      }
      return simulation.parse(await response.json());
    } catch (error) {
      if (error instanceof ApiError) throw error;
      throw unavailable("Function automation is unavailable: nothing was simulated", error);
    }
  };
}
