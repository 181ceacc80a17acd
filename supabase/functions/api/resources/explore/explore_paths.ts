import { newPaths, paths } from "../../contract/explore.ts";
import { defineRoute } from "../../kernel/route.ts";
import { explore } from "./explore_queries.ts";
import { describeQuality, scale } from "./scale.ts";

interface PathNode {
  kind: "start" | "event" | "other" | "end";
  name: string | null;
}

interface Counted {
  share: number;
  customers: number;
  links: { step: number; from: PathNode; to: PathNode; customers: number }[];
}

export const explorePaths = defineRoute({
  operationId: "explorePaths",
  method: "POST",
  path: "/explore/paths",
  tag: "Explore",
  summary: "Count what customers did after an event",
  description: "A path starts at a customer's first such event in the range. Repeats of an event " +
    "in a row count as one. At most 5,000 customers are followed. With more, the numbers are " +
    "estimates.",
  scopes: ["events:read"],
  leastRole: "viewer",
  body: newPaths,
  status: 200,
  response: paths,
  isDry: true,
  async handle({ body, ...call }) {
    const { share, customers, links } = await explore<Counted>(call, {
      kind: "paths",
      query: body,
      isSampled: true,
    });
    return {
      ...describeQuality(share),
      customers: scale(customers, share),
      links: links.map((link) => ({ ...link, customers: scale(link.customers, share) })),
    };
  },
});
