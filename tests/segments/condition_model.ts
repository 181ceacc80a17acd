import { createHash } from "node:crypto";

/** A condition as JSON. */
export type Condition = Record<string, unknown>;

/** A customer with all that conditions look at, read from the rows. */
export interface CustomerRows {
  id: string;
  profile: Record<string, string | null>;
  attributes: Record<string, unknown>;
  createdAt: number;
  lastSeenAt: number;
  externalIds: string[];
  events: EventRow[];
}

/** An event: its name, the time that counts in milliseconds, and its properties. */
export interface EventRow {
  name: string;
  at: number;
  properties: Record<string, unknown>;
}

/** The segments that a condition may name. */
export interface ModelWorld {
  /** Conditions of live segments, by id. */
  live: Map<string, Condition>;
  /** Customers of static segments, by id. */
  listed: Map<string, Set<string>>;
}

/** A condition's answer for one customer at an instant (milliseconds), from all rows. */
export function isMet(
  condition: Condition,
  customer: CustomerRows,
  { world, now }: { world: ModelWorld; now: number },
): boolean {
  const ask = (inner: unknown) => isMet(inner as Condition, customer, { world, now });
  if ("all" in condition) return (condition.all as unknown[]).every(ask);
  if ("any" in condition) return (condition.any as unknown[]).some(ask);
  if ("not" in condition) return !ask(condition.not);
  if ("event" in condition) return isEventLeafMet(condition, customer.events, now);
  if ("field" in condition) return isFieldMet(condition, customer, now);
  if ("bucket" in condition) {
    const hash = createHash("sha256").update(`${condition.bucket}:${customer.id}`).digest();
    const x = hash.readUInt32BE(0) / 2 ** 32 * 100;
    return x >= (condition.from as number) && x < (condition.to as number);
  }
  const id = condition.segment as string;
  return world.listed.get(id)?.has(customer.id) ?? ask(world.live.get(id)!);
}

function isEventLeafMet(leaf: Condition, events: EventRow[], now: number): boolean {
  const where = (leaf.where ?? []) as Condition[];
  const since = leaf.since === undefined ? -Infinity : Date.parse(leaf.since as string);
  const until = leaf.until === undefined ? Infinity : Date.parse(leaf.until as string);
  const asksForRobots = where.some(({ property }) => property === "automated");
  const found = events.filter(({ name, at, properties }) =>
    name === leaf.event && at >= since && at < until &&
    (asksForRobots || !/^email_(opened|clicked)$/.test(name) || properties.automated !== true) &&
    where.every((one) => isValueMet(one, readPath(properties, one.property as string)))
  );
  for (const kind of ["sum", "min", "max"] as const) {
    if (kind in leaf) return isTotalMet(kind, leaf, { found, now });
  }
  const from = leaf.within === undefined ? -Infinity : now - readDuration(leaf.within as string);
  const count = found.filter(({ at }) => at > from).length;
  return isWithin(count, (leaf.count ?? { gte: 1 }) as Record<string, number>);
}

function isTotalMet(
  kind: "sum" | "min" | "max",
  leaf: Condition,
  { found, now }: { found: EventRow[]; now: number },
): boolean {
  const { property, ...limits } = leaf[kind] as { property: string } & Record<string, number>;
  const hour = 3_600_000;
  const from = leaf.within === undefined ? -Infinity : now - readDuration(leaf.within as string);
  const numbers = found
    .filter(({ at }) => Math.floor(at / hour) * hour + hour > from)
    .map(({ properties }) => readPath(properties, property))
    .filter((value) => typeof value === "number");
  if (kind === "sum") return isWithin(numbers.reduce((sum, n) => sum + n, 0), limits);
  if (numbers.length === 0) return false;
  return isWithin(kind === "min" ? Math.min(...numbers) : Math.max(...numbers), limits);
}

function isWithin(value: number, limits: Record<string, number>): boolean {
  const { gte = -Infinity, gt = -Infinity, lte = Infinity, lt = Infinity, eq = value } = limits;
  return value >= gte && (value > gt) && value <= lte && (value < lt) && value === eq;
}

function isFieldMet(leaf: Condition, customer: CustomerRows, now: number): boolean {
  const field = leaf.field as string;
  const op = leaf.op as string;
  if (field === "external_id") {
    const positive =
      { neq: "eq", not_in: "in", not_contains: "contains", not_exists: "exists" }[op];
    const some = customer.externalIds.some((id) => isValueMet({ ...leaf, op: positive ?? op }, id));
    return positive ? !some : some;
  }
  const value = readField(field, customer);
  if (op === "anniversary_today") {
    return isAnniversary(value, customer.profile.timezone ?? "UTC", now);
  }
  if (/within/.test(op)) {
    const at = readTime(value);
    if (at === undefined) return false;
    const span = readDuration(leaf.value as string);
    if (op === "within_next") return at > now && at <= now + span;
    return (at > now - span && at <= now) === (op === "within_last");
  }
  return isValueMet(leaf, value);
}

function readField(field: string, customer: CustomerRows): unknown {
  if (field === "created_at") return new Date(customer.createdAt).toISOString();
  if (field === "last_seen_at") return new Date(customer.lastSeenAt).toISOString();
  if (field === "is_identified") return customer.externalIds.length > 0;
  if (field.startsWith("attributes.")) {
    return readPath(customer.attributes, field.slice("attributes.".length));
  }
  return customer.profile[field] ?? undefined;
}

function readPath(value: unknown, path: string): unknown {
  for (const part of path.split(".")) {
    const isIndex = Array.isArray(value) && /^\d+$/.test(part);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isIndex && !isObject) return undefined;
    const holder = value as Record<string, unknown>;
    value = Object.hasOwn(holder, part) ? holder[part] : undefined;
  }
  return value ?? undefined;
}

function isValueMet({ op, value: operand }: Condition, value: unknown): boolean {
  const text = typeof value === "string" ? value.toLowerCase() : undefined;
  const wanted = String(operand).toLowerCase();
  const number = typeof value === "number" ? value : NaN;
  const at = readTime(value) ?? NaN;
  const isSame = (other: unknown) => stringify(value) === stringify(other);
  switch (op) {
    case "exists":
      return value !== undefined;
    case "not_exists":
      return value === undefined;
    case "eq":
      return isSame(operand);
    case "neq":
      return !isSame(operand);
    case "in":
      return (operand as unknown[]).some(isSame);
    case "not_in":
      return !(operand as unknown[]).some(isSame);
    case "contains":
      return text?.includes(wanted) ?? false;
    case "not_contains":
      return !(text?.includes(wanted) ?? false);
    case "starts_with":
      return text?.startsWith(wanted) ?? false;
    case "ends_with":
      return text?.endsWith(wanted) ?? false;
    case "gt":
      return number > (operand as number);
    case "gte":
      return number >= (operand as number);
    case "lt":
      return number < (operand as number);
    case "lte":
      return number <= (operand as number);
    case "before":
      return at < Date.parse(operand as string);
    case "after":
      return at > Date.parse(operand as string);
  }
  throw new Error(`Cannot evaluate: unknown operator "${op}"`);
}

/** JSON text with sorted keys: equal values have equal texts. */
function stringify(value: unknown): string | undefined {
  return JSON.stringify(
    value,
    (_, inner) =>
      typeof inner === "object" && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => a < b ? -1 : 1))
        : inner,
  );
}

/** The milliseconds of a duration such as "7d". */
export function readDuration(text: string): number {
  const unit = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }[text.at(-1)!]!;
  return Number(text.slice(0, -1)) * unit * 1000;
}

function readTime(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?)?$/
    .exec(value);
  if (!match) return undefined;
  const [, day, minute = "00:00", second = ":00", zone = "Z"] = match;
  const start = new Date(`${day}T00:00:00Z`);
  if (isNaN(start.getTime()) || start.toISOString().slice(0, 10) !== day) return undefined;
  const at = Date.parse(`${day}T${minute}${second}${zone.replace(/(\d\d)(\d\d)$/, "$1:$2")}`);
  return isNaN(at) ? undefined : at;
}

function isAnniversary(value: unknown, timeZone: string, now: number): boolean {
  const at = readTime(value);
  if (at === undefined) return false;
  const bornZone = (value as string).length === 10 ? "UTC" : timeZone;
  const [, month, day] = localDate(at, bornZone);
  const [year, ...today] = localDate(now, timeZone);
  const isLeap = new Date(Date.UTC(year!, 1, 29)).getUTCDate() === 29;
  const wanted = month === 2 && day === 29 && !isLeap ? [2, 28] : [month, day];
  return wanted[0] === today[0] && wanted[1] === today[1];
}

function localDate(at: number, timeZone: string): number[] {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
  }).formatToParts(at);
  return ["year", "month", "day"].map((type) =>
    Number(parts.find((part) => part.type === type)!.value)
  );
}
