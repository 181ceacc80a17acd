import { funnel, newFunnel } from "../../contract/explore.ts";
import { defineRoute } from "../../kernel/route.ts";
import { explore } from "./explore_queries.ts";
import { describeQuality, scale } from "./scale.ts";

interface Counted {
  share: number;
  steps: { customers: number; median_seconds: number | null }[];
}

export const exploreFunnel = defineRoute({
  operationId: "exploreFunnel",
  method: "POST",
  path: "/explore/funnel",
  tag: "Explore",
  summary: "Count the customers that did events in order",
  description: "A customer counts once per step. The first event starts in the range, and each " +
    "later one follows the one before it, within the time since the first.",
  scopes: ["events:read"],
  leastRole: "viewer",
  body: newFunnel,
  status: 200,
  response: funnel,
  isDry: true,
  async handle({ body, ...call }) {
    const { share, steps } = await explore<Counted>(call, {
      kind: "funnel",
      query: body,
      isSampled: true,
    });
    return {
      ...describeQuality(share),
      steps: steps.map(({ customers, median_seconds }, index) => ({
        event: body.steps[index]!.event,
        customers: scale(customers, share),
        median_seconds,
      })),
    };
  },
});
