import type { ApiResponse } from "../../api/api_client.ts";
import { type Flow, type Picture, pictureColors } from "../../charts/picture.ts";
import { chooseDecimals, countOf, formatDecimal, formatShare } from "../../format/numbers.ts";
import { nameMeasure } from "./describe_question.ts";
import { linkToPeople } from "./people.ts";
import { addsUp, type Question } from "./question.ts";

export type CountsResult = ApiResponse<"POST /explore/counts"> & {
  /** Names of the series, if several events are compared. */
  names?: string[];
};
export type FunnelResult = ApiResponse<"POST /explore/funnel">;
export type RetentionResult = ApiResponse<"POST /explore/retention">;
export type PathsResult = ApiResponse<"POST /explore/paths">;

/** The response to a question. */
export type Result = CountsResult | FunnelResult | RetentionResult | PathsResult;

type BodyOf<Kind extends Question["kind"]> = Extract<Question, { kind: Kind }>["body"];

/** Draws the response to a question. */
export function drawResult({ kind, body }: Question, result: Result): Picture {
  switch (kind) {
    case "counts":
      return drawCounts(body, result as CountsResult);
    case "funnel":
      return drawFunnel(body, result as FunnelResult);
    case "retention":
      return drawRetention(body, result as RetentionResult);
    case "paths":
      return drawPaths(body, result as PathsResult);
  }
}

/** Returns whether nothing in the time range answers the question. */
export function isEmptyResult(result: Result): boolean {
  if ("series" in result) return result.series.length === 0;
  if ("steps" in result) return (result.steps[0]?.customers ?? 0) === 0;
  if ("cohorts" in result) return result.cohorts.every(({ customers }) => customers === 0);
  return result.links.length === 0;
}

/** Names the start of an interval in the zone of the exploration. */
export function nameInterval(at: string, interval: string, zone: string): string {
  const options: Intl.DateTimeFormatOptions = interval === "month"
    ? { month: "short", year: "numeric" }
    : {
      day: "numeric",
      month: "short",
      ...interval === "hour" ? { hour: "2-digit", minute: "2-digit" } : {},
    };
  return new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone }).format(new Date(at));
}

const dayMs = 86_400_000;
/** The longest time that an interval takes. */
const lengthMs = { hour: dayMs / 24, day: dayMs, week: 7 * dayMs, month: 31 * dayMs };

const periodNames = { hour: "Hour", day: "Day", week: "Week", month: "Month" };

/** Customers of one event, each counted once. */
function linkTotal(body: BodyOf<"counts">, { series, starts, names, is_exact }: CountsResult) {
  const { event, measure, property, until } = body;
  if (measure !== "customers" || property !== undefined || names !== undefined) return undefined;
  const [since = body.since, customers = 0] = [starts[0], series[0]?.total];
  return linkToPeople({ event, since, until, customers, isExact: is_exact });
}

function drawCounts(body: BodyOf<"counts">, result: CountsResult): Picture {
  const { series, starts, zone, names } = result;
  const interval = body.interval ?? "day";
  const labels = starts.map((at) => nameInterval(at, interval, zone));
  const measure = nameMeasure(body);
  const split = body.property === undefined ? "" : ` by ${body.property}`;
  const decimals = chooseDecimals(
    series.flatMap(({ total, counts }) => [total, ...counts.filter((count) => count !== null)]),
  );
  const shown = series.map((one, index) => ({
    label: names?.[index] ?? nameSeries(one, measure),
    data: one.counts,
  }));
  const events = names?.join(", ") ?? body.event.event;
  return {
    title: `${addsUp(body.measure) ? `${measure} of ` : ""}${events}${split}`,
    ...names === undefined && answerCounts(body, { series, decimals }),
    labels,
    series: shown,
    kind: names === undefined ? "bar" : "line",
    // Customers with two values count in both, and averages do not add up.
    isStacked: names === undefined && body.measure !== "customers" && body.measure !== "average",
    isUnfinished: Date.parse(starts.at(-1) ?? "") + lengthMs[interval] > Date.now(),
    decimals,
    columns: [periodNames[interval], ...shown.map(({ label }) => label)],
    hasTotals: true,
    links: [[undefined, linkTotal(body, result)]],
    rows: [
      [body.measure === "average" ? "All" : "Total", ...series.map(totalOf)],
      ...labels.map((label, index) => [label, ...shown.map(({ data }) => data[index] ?? null)])
        .toReversed(),
    ],
  };
}

function nameSeries({ kind, value, range }: CountsResult["series"][number], measure: string) {
  switch (kind) {
    case "value":
      return String(value);
    case "range":
      return range === undefined ? "" : nameRange(range);
    default:
      return { all: measure, other: "Other values", missing: "Without the property" }[kind];
  }
}

/** Names a range of numbers: "0–10", "Under 10", "80 or more". */
export function nameRange({ from, to }: { from: number | null; to: number | null }): string {
  const name = (number: number) => formatDecimal(number, { least: 0, most: 6 });
  if (from === null) return to === null ? "All numbers" : `Under ${name(to)}`;
  if (to === null) return `${name(from)} or more`;
  return from < 0 ? `${name(from)} to ${name(to)}` : `${name(from)}–${name(to)}`;
}

/** The measure of a series; null for an average of nothing. */
function totalOf({ total, counts }: CountsResult["series"][number]): number | null {
  return counts.every((count) => count === null) ? null : total;
}

/** The measure of all series together. Customers and averages of several do not add up. */
function answerCounts(
  { measure, property }: BodyOf<"counts">,
  { series, decimals }: { series: CountsResult["series"]; decimals: number },
) {
  if (property !== undefined && (measure === "customers" || measure === "average")) return {};
  const total = series.reduce((sum, each) => sum + each.total, 0);
  if (!addsUp(measure)) {
    return { answer: countOf(total, measure === "customers" ? "customer" : "event") };
  }
  const number = formatDecimal(total, { least: decimals, most: decimals });
  return { answer: `${number} ${measure === "sum" ? "in total" : "on average"}` };
}

/** Only the customers of the first step are those of a filter: later ones depend on when they did it. */
function linkFirstStep(body: BodyOf<"funnel">, { steps, is_exact }: FunnelResult) {
  const [event] = body.steps;
  if (event === undefined) return undefined;
  const { since, until } = body;
  const customers = steps[0]?.customers ?? 0;
  return linkToPeople({ event, since, until, customers, isExact: is_exact });
}

function drawFunnel(body: BodyOf<"funnel">, result: FunnelResult): Picture {
  const { steps } = result;
  const first = steps[0]?.customers ?? 0;
  const last = steps.at(-1)?.customers ?? 0;
  const names = steps.map(({ event }, index) => `${index + 1}. ${event}`);
  return {
    title: `Funnel: ${steps.map(({ event }) => event).join(" → ")}`,
    answer: `${formatShare(last, first)} converted`,
    labels: names,
    series: [{ label: "Customers", data: steps.map(({ customers }) => customers) }],
    kind: "bar",
    isHorizontal: true,
    most: first,
    barTexts: steps.map(({ customers }, index) => {
      const share = formatShare(customers, first);
      if (index === 0) return { long: share, short: share };
      const lost = loseShare(steps[index - 1]!.customers, customers);
      return { long: `${share} converted, ${lost} dropped off`, short: `${share} (−${lost})` };
    }),
    columns: ["Step", "Customers", "Conversion", "Drop-off", "Median time"],
    links: [[undefined, linkFirstStep(body, result)]],
    rows: steps.map(({ customers, median_seconds }, index) => [
      names[index]!,
      customers,
      formatShare(customers, first),
      index === 0 ? null : loseShare(steps[index - 1]!.customers, customers),
      index === 0 || median_seconds === null ? null : nameDuration(median_seconds),
    ]),
  };
}

/** The share of a step that did not reach the next one. */
function loseShare(before: number, after: number): string {
  return formatShare(Math.max(0, before - after), before);
}

/** Names a length of time in its largest unit: "1.5 h". */
export function nameDuration(seconds: number): string {
  const units = [["d", 86_400], ["h", 3600], ["min", 60]] as const;
  const [name, length] = units.find(([, each]) => seconds >= each) ?? ["s", 1];
  return `${Number((seconds / length).toFixed(1))} ${name}`;
}

function drawRetention(
  body: BodyOf<"retention">,
  { cohorts, zone }: RetentionResult,
): Picture {
  const interval = body.interval ?? "week";
  const places = Array.from({ length: countReached(cohorts) }, (_, after) => after);
  const share = (count: number | null | undefined, size: number) =>
    count === null || count === undefined || size === 0 ? null : formatShare(count, size);
  const means = places.map((after) => {
    const known = cohorts.filter(({ returned }) => (returned[after] ?? null) !== null);
    const size = known.reduce((sum, { customers }) => sum + customers, 0);
    const back = known.reduce((sum, { returned }) => sum + (returned[after] ?? 0), 0);
    return size === 0 ? null : Number((back / size * 100).toFixed(1));
  });
  const names = places.map((after) => `${periodNames[interval]} ${after}`);
  const shown = leaveOutLeading(cohorts);
  return {
    title: `Retention: ${body.start.event} → ${body.return.event}`,
    ...typeof means[1] === "number" && { answer: `${means[1]}% came back in ${names[1]}` },
    labels: names,
    series: [{ label: "Returned, all cohorts", data: means }],
    kind: "line",
    unit: "%",
    columns: ["First event", "Customers", ...names],
    hasTotals: true,
    shades: shadeShares([means, ...shown.map((cohort) => listShares(cohort, places))]),
    rows: [
      [
        "All",
        cohorts.reduce((sum, { customers }) => sum + customers, 0),
        ...means.map((mean) => mean === null ? null : `${mean}%`),
      ],
      ...shown.map(({ at, customers, returned }) => [
        nameInterval(at, interval, zone),
        customers,
        ...places.map((after) => share(returned[after], customers)),
      ]),
    ],
  };
}

/** Returns the number of periods that a cohort with customers has reached, 2 or more. */
export function countReached(cohorts: RetentionResult["cohorts"]): number {
  const reached = cohorts.filter(({ customers }) => customers > 0)
    .map(({ returned }) => returned.findLastIndex((count) => count !== null) + 1);
  // The second one shows what is to come.
  return Math.max(2, ...reached);
}

/** Leaves out the cohorts without customers before the first one with some. */
function leaveOutLeading(cohorts: RetentionResult["cohorts"]): RetentionResult["cohorts"] {
  return cohorts.slice(Math.max(0, cohorts.findIndex(({ customers }) => customers > 0)));
}

/** The shares of a cohort that came back, in percent; null where they are not known yet. */
function listShares(
  { customers, returned }: RetentionResult["cohorts"][number],
  places: number[],
): (number | null)[] {
  return places.map((after) => {
    const count = returned[after] ?? null;
    return count === null || customers === 0 ? null : count / customers * 100;
  });
}

/**
 * Shades the cells of shares, which follow a name and a count. The largest is darkest. The first
 * period has no shade: its share is far above the others, which would all look alike.
 */
function shadeShares(rows: (number | null)[][]): number[][] {
  const later = rows.map((row) => row.slice(1).map((share) => share ?? 0));
  const most = Math.max(1, ...later.flat());
  return later.map((row) => [0, 0, 0, ...row.map((share) => share / most)]);
}

type PathNode = PathsResult["links"][number]["to"];

function nameNode({ kind, name }: PathNode): string {
  return kind === "end" ? "Nothing more" : kind === "other" ? "Other events" : name ?? "";
}

/** Headings of the positions after the start. */
const positions = ["First", "Second", "Third", "Fourth", "Fifth", "Sixth"];

function namePosition(step: number): string {
  return step === 0 ? "Start" : `${positions[step - 1] ?? step} event`;
}

function drawPaths(body: BodyOf<"paths">, { customers, links }: PathsResult): Picture {
  return {
    title: `After ${body.start.event}`,
    answer: `${countOf(customers, "customer")} at the start`,
    labels: [],
    series: [],
    kind: "bar",
    ...links.length === 0 ? {} : { flow: drawFlow(body.start.event, links) },
    columns: ["Position", "From", "To", "Customers", "Of all"],
    nameColumns: 3,
    rows: links.map(({ step, from, to, customers: count }) => [
      namePosition(step),
      nameNode(from),
      nameNode(to),
      count,
      formatShare(count, customers),
    ]),
  };
}

type Links = PathsResult["links"];

/** Draws the links as streams. An event has the same colour at every position. */
function drawFlow(start: string, links: Links): Flow {
  const places = new Map<string, Flow["places"][number]>();
  const names = rankNames(start, links);
  const add = (node: PathNode, { column, count }: { column: number; count: number }) => {
    const label = node.kind === "start" ? start : nameNode(node);
    const key = `${column} ${node.kind} ${label}`;
    const known = places.get(key);
    if (known) known.count += count;
    else {
      const color = node.kind === "end" || node.kind === "other"
        ? "gray.5"
        : pictureColors[names.indexOf(label) % eventColors]!;
      places.set(key, { key, label, column, count, color });
    }
    return key;
  };
  const streams = links.map(({ step, from, to, customers: count }) => ({
    // The customers at a place are those who came there; nobody comes to the start.
    from: add(from, { column: step - 1, count: from.kind === "start" ? count : 0 }),
    to: add(to, { column: step, count }),
    count,
  }));
  const last = Math.max(...links.map(({ step }) => step));
  const headings = Array.from({ length: last + 1 }, (_, step) => namePosition(step));
  return { headings, places: [...places.values()], streams };
}

/** The last colour is gray. */
const eventColors = pictureColors.length - 1;

/** Lists the names of events, the start first and then the most frequent. */
function rankNames(start: string, links: Links): string[] {
  const totals = new Map<string, number>([[start, Infinity]]);
  for (const { to, customers } of links) {
    if (to.kind === "event") {
      totals.set(nameNode(to), (totals.get(nameNode(to)) ?? 0) + customers);
    }
  }
  return [...totals].sort(([, a], [, b]) => b - a).map(([name]) => name);
}
