import { useQuery } from "@tanstack/react-query";
import { ApiCallError, type ApiResponse } from "../../api/api_client.ts";
import { useApi } from "../../api/use_api.ts";
import type { Campaign } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import type { Bucket } from "../../charts/series.ts";
import { useZone } from "../../format/use_zone.ts";
import { type ActivitySpan, fillDay, spanOf } from "./activity_span.ts";

const keptMs = 60_000;
const maxWaits = 5;
const mostLinks = 10;

type Counts = ApiResponse<"POST /explore/counts">;

/** A link of the mail, and how many customers followed it. */
export interface FollowedLink {
  url: string;
  customers: number;
}

/** Customers who got, opened and clicked the mail of a campaign, over time and by link. */
export interface CampaignActivity {
  buckets: Bucket[];
  /** Most followed first. */
  links: FollowedLink[];
  /** False for an estimate from a sample. */
  isExact: boolean;
}

/** Counts the customers of a campaign that has begun, from the events that it caused. */
export function useCampaignActivity({ id, state, started_at }: Campaign, isEnabled: boolean) {
  const api = useApi();
  const zone = useZone();
  const { id: workspaceId } = useWorkspace();
  return useQuery({
    queryKey: [workspaceId, "campaign activity", id, started_at, zone],
    queryFn: async ({ signal }): Promise<CampaignActivity> => {
      const span = spanOf(started_at!, Date.now());
      const count = (event: string, options: { property?: string; top?: number } = {}) =>
        api.call("POST /explore/counts", {
          body: {
            event: {
              event,
              where: [
                { property: "campaign_id", op: "eq", value: id },
                { property: "automated", op: "not_exists" },
              ],
            },
            measure: "customers",
            ...span,
            // Charts label days as those of UTC.
            zone: span.interval === "day" ? "UTC" : zone,
            ...options,
          },
          signal,
        });
      // One after the other: the service runs only two of a workspace at once.
      const sent = await count("email_sent");
      const opened = await count("email_opened");
      const clicked = await count("email_clicked");
      const byLink = await count("email_clicked", { property: "url", top: mostLinks });
      return {
        buckets: listBuckets(span, { sent, opened, clicked }),
        links: listLinks(byLink),
        isExact: [sent, opened, clicked, byLink].every(({ is_exact }) => is_exact),
      };
    },
    enabled: isEnabled && started_at !== null,
    staleTime: keptMs,
    refetchInterval: state === "sending" ? keptMs : false,
    refetchOnWindowFocus: false,
    retry: (count, error) =>
      count < maxWaits && error instanceof ApiCallError && error.status === 429,
    retryDelay: 1000,
  });
}

function listBuckets(span: ActivitySpan, counted: Readonly<Record<string, Counts>>): Bucket[] {
  const known = Object.values(counted)[0]!.starts;
  return fillDay(known, span).map((at, index) => ({
    at,
    ...Object.fromEntries(
      Object.entries(counted).map(([name, { series }]) => [
        name,
        index < known.length ? series[0]?.counts[index] ?? 0 : null,
      ]),
    ),
  }));
}

function listLinks({ series }: Counts): FollowedLink[] {
  return series
    .flatMap(({ kind, value, total }) =>
      kind === "value" && value !== null ? [{ url: String(value), customers: total }] : []
    )
    .sort((a, b) => b.customers - a.customers);
}
