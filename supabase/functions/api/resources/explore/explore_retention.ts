import { newRetention, retention } from "../../contract/explore.ts";
import { defineRoute } from "../../kernel/route.ts";
import { explore } from "./explore_queries.ts";
import { describeQuality, scale } from "./scale.ts";

interface Counted {
  zone: string;
  share: number;
  /** Starts of the periods of cohorts and of those after them. */
  starts: string[];
  cohorts: {
    at: string;
    customers: number;
    /** By the number of periods after the first. */
    returned: Record<string, number>;
  }[];
}

export const exploreRetention = defineRoute({
  operationId: "exploreRetention",
  method: "POST",
  path: "/explore/retention",
  tag: "Explore",
  summary: "Count the customers that came back",
  description: "A cohort is the customers whose first such event falls in one period of the " +
    "range. The range includes the whole first period.",
  scopes: ["events:read"],
  leastRole: "viewer",
  body: newRetention,
  status: 200,
  response: retention,
  isDry: true,
  async handle({ body, service, ...call }) {
    const { zone, share, starts, cohorts } = await explore<Counted>(call, {
      kind: "retention",
      query: body,
      isSampled: true,
    });
    const now = service.now().getTime();
    return {
      ...describeQuality(share),
      zone,
      cohorts: cohorts.map(({ at, customers, returned }, index) => ({
        at,
        customers: scale(customers, share),
        returned: Array.from(
          { length: body.periods + 1 },
          (_, after) =>
            Date.parse(starts[index + after]!) > now ? null : scale(returned[after] ?? 0, share),
        ),
      })),
    };
  },
});
