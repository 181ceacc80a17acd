import type { Campaign, Sender } from "../../api/types.ts";

type Limited = Pick<Campaign, "per_minute" | "spread_over" | "zone" | "winner">;

/** The time that a campaign takes, and the limit that decides it. */
export interface SendingTime {
  seconds: number;
  by: "sender" | "campaign" | "spread";
}

const secondsOf: Readonly<Record<string, number>> = {
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
};

/**
 * Computes how long so many messages take at the limits of a campaign and its sender. Returns null
 * without a limit, and where time zones or a test decide when people get it.
 */
export function estimateSending(
  count: number,
  { campaign, sender }: {
    campaign: Limited;
    sender: Pick<Sender, "rate_allowed"> | undefined;
  },
): SendingTime | null {
  if (count === 0 || campaign.zone === "customer" || campaign.winner !== null) return null;
  // The first message needs no wait.
  const gaps = count - 1;
  const times: SendingTime[] = [];
  if (sender?.rate_allowed) times.push({ seconds: gaps / sender.rate_allowed, by: "sender" });
  if (campaign.per_minute) {
    times.push({ seconds: (gaps / campaign.per_minute) * 60, by: "campaign" });
  }
  if (campaign.spread_over) {
    times.push({ seconds: readSeconds(campaign.spread_over), by: "spread" });
  }
  return times.toSorted((one, other) => other.seconds - one.seconds)[0] ?? null;
}

/**
 * Computes how long the rest of a campaign takes that is being sent. The rest of one that is spread
 * over a time ends no earlier than that time.
 */
export function estimateRest(
  waiting: number,
  { campaign, sender, now = Date.now() }: {
    campaign: Limited & Pick<Campaign, "started_at">;
    sender: Pick<Sender, "rate_allowed">;
    now?: number;
  },
): SendingTime | null {
  const { started_at, spread_over } = campaign;
  const passed = started_at === null ? 0 : (now - Date.parse(started_at)) / 1000;
  const left = spread_over === null ? 0 : Math.max(0, readSeconds(spread_over) - passed);
  return estimateSending(waiting, {
    campaign: { ...campaign, spread_over: left === 0 ? null : `${Math.ceil(left)}s` },
    sender,
  });
}

function readSeconds(duration: string): number {
  return Number(duration.slice(0, -1)) * (secondsOf[duration.slice(-1)] ?? 0);
}

const causes: Record<SendingTime["by"], string> = {
  sender: "at this sender’s rate",
  campaign: "at this campaign’s rate",
  spread: "because it is spread over time",
};

/** Says how long a campaign takes: "About 6 min at this sender’s rate". */
export function describeSendingTime({ seconds, by }: SendingTime): string {
  return `${writeAbout(seconds)} ${causes[by]}`;
}

/** Writes seconds roughly: "About 6 min". */
function writeAbout(seconds: number): string {
  if (seconds < 60) return "Less than a minute";
  if (seconds < 5_400) return `About ${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3_600) return `About ${Math.round(seconds / 3_600)} h`;
  return `About ${Math.round(seconds / 86_400)} days`;
}
