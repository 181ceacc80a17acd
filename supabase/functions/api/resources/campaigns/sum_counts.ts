/** One count of a campaign. */
interface Count {
  kind: string;
  count: number;
}

const skippedPrefix = "skipped:";

/** Sums counts into the figures that the api returns; `waiting` is what has no outcome. */
export function sumCounts(counts: readonly Count[]) {
  const sums = new Map<string, number>();
  for (const { kind, count } of counts) sums.set(kind, (sums.get(kind) ?? 0) + count);
  const of = (kind: string) => sums.get(kind) ?? 0;
  const skipped = Object.fromEntries(
    [...sums].filter(([kind, count]) => kind.startsWith(skippedPrefix) && count > 0)
      .map(([kind, count]) => [kind.slice(skippedPrefix.length), count]),
  );
  const failed = of("failed") + of("unknown");
  const handled = Object.values(skipped).reduce((sum, count) => sum + count, of("sent") + failed);
  return {
    recipients: of("recipients"),
    waiting: Math.max(0, of("recipients") - handled),
    sent: of("sent"),
    skipped,
    failed,
    unknown: of("unknown"),
    delivered: of("delivered"),
    bounced: of("bounced"),
    complained: of("complained"),
    opened: of("opened"),
    clicked: of("clicked"),
    unsubscribed: of("unsubscribed"),
    goal: of("goal"),
  };
}
