import { country, locale, parseInstant, timezone } from "../entries/fields.ts";
import { type IngestProfile, profileFields } from "../entries/profile.ts";
import { type ProfileField } from "../entries/profile_names.ts";
import type { Translated } from "../entries/wire_format.ts";
import { isRecord } from "../json/json.ts";

export const segmentTypes = ["track", "identify", "alias", "page", "screen", "group"] as const;

export type SegmentType = (typeof segmentTypes)[number];

type Message = Record<string, unknown>;

/** The libraries send null for unknown fields of a caller. */
const callerFields: ReadonlySet<string> = new Set(["ip", "ua", "userAgent"]);

/** The profile field of each trait: `first_name` and `firstName` are the same. */
const traitFields: ReadonlyMap<string, ProfileField> = new Map(
  (Object.keys(profileFields) as ProfileField[]).flatMap((field) => {
    const camelCase = field.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    return [[field, field], [camelCase, field]];
  }),
);

/**
 * Converts a message of Segment's libraries to an entry. Fields without a meaning here
 * (`integrations`, `_metadata`, …) are dropped; all product data is kept. `offsetMs` is how far the
 * sender's clock is behind ours, negative if it is ahead.
 */
export function translateSegment(message: unknown, offsetMs: number): Translated {
  if (!isRecord(message)) return refuse("", "must be a JSON object");
  const { type } = message;
  const common = {
    occurred_at: correctTime(message, offsetMs),
    context: translateContext(message.context),
    idempotency_key: given(message.messageId),
  };
  const ids = { external_id: asId(message.userId), anon_id: asId(message.anonymousId) };
  switch (type) {
    case "track":
      return entry({
        name: message.event,
        properties: given(message.properties),
        ...ids,
        ...common,
      });
    case "identify":
      return {
        ...entry({ type, ...ids, ...translateTraits(findTraits(message)), ...common }),
        profileDefaults: readDefaults(message.context),
      };
    case "alias":
      return entry({ ...translateAlias(message), ...common });
    case "page":
    case "screen":
      return entry({ name: `${type}_viewed`, properties: viewed(message), ...ids, ...common });
    case "group": {
      const properties = { group_id: asId(message.groupId), traits: given(message.traits) };
      return entry({
        name: "group_identified",
        properties: compact(properties),
        ...ids,
        ...common,
      });
    }
    default:
      return refuse("type", `must be one of "${segmentTypes.join('", "')}"`);
  }
}

/** The libraries send null and "" for missing ids. */
function asId(value: unknown): unknown {
  if (value === null || value === "") return undefined;
  return typeof value === "number" ? String(value) : value;
}

function given(value: unknown): unknown {
  return value === null ? undefined : value;
}

function entry(fields: Message): Translated & { ok: true } {
  return { ok: true, entry: compact(fields) };
}

function refuse(field: string, message: string): Translated {
  return { ok: false, details: [{ field, message }] };
}

function compact(fields: Message): Message {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** `name` and `category` of a page or screen are properties of the view. */
function viewed({ name, category, properties }: Message): unknown {
  if (properties !== undefined && properties !== null && !isRecord(properties)) return properties;
  return { ...compact({ name: given(name), category: given(category) }), ...properties };
}

function translateContext(context: unknown): unknown {
  if (!isRecord(context)) return given(context);
  const kept = Object.fromEntries(
    Object.entries(context).filter(([name, value]) => value !== null || !callerFields.has(name)),
  );
  const { userAgent } = kept;
  return typeof userAgent === "string" && kept.ua === undefined ? { ...kept, ua: userAgent } : kept;
}

/** Some libraries send the traits of an identify only inside its context. */
function findTraits({ traits, context }: Message): unknown {
  const inContext = isRecord(context) ? context.traits : undefined;
  // A context may contain anything: a value that is not an object stays in the context.
  return given(traits) ?? (isRecord(inContext) ? inContext : undefined);
}

/** Mobile libraries write "en_US". */
function toLanguageTag(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("_", "-") : value;
}

/** The time zone and language of the sender's device; mobile libraries write "en_US". */
function readDefaults(context: unknown): IngestProfile["defaults"] {
  if (!isRecord(context)) return undefined;
  const zone = timezone.safeParse(context.timezone);
  const tag = locale.safeParse(toLanguageTag(context.locale));
  if (!zone.success && !tag.success) return undefined;
  return {
    ...zone.success ? { timezone: zone.data } : {},
    ...tag.success ? { locale: tag.data } : {},
  };
}

/** Returns the profile fields among the traits; an invalid value is kept as an attribute. */
function translateTraits(traits: unknown): Message {
  if (traits === undefined || traits === null) return {};
  if (!isRecord(traits)) return { attributes: traits };
  const profile: Message = {};
  const attributes: [string, unknown][] = [];
  for (const [name, value] of Object.entries(traits)) {
    const field = traitFields.get(name);
    const wanted = field === "locale" ? toLanguageTag(value) : value;
    const isField = field !== undefined &&
      (wanted === null || profileFields[field].safeParse(wanted).success);
    if (isField) {
      profile[field] = wanted;
    } else {
      attributes.push([name, value]);
    }
  }
  const home = isRecord(traits.address) ? traits.address.country : undefined;
  if (profile.country === undefined && country.safeParse(home).success) profile.country = home;
  return { ...profile, attributes: Object.fromEntries(attributes) };
}

/** The browser library aliases a visitor by their anonymous id, which is an identify. */
function translateAlias(message: Message): Message {
  const external_id = asId(message.userId);
  const previous = asId(message.previousId);
  if (previous !== undefined && previous === asId(message.anonymousId)) {
    return { type: "identify", external_id, anon_id: previous };
  }
  return { type: "alias", external_id, previous_id: previous };
}

/** Returns the time of a message by its sender's clock, as sent. */
export function timeOf({ timestamp, originalTimestamp }: Message): unknown {
  return given(timestamp) ?? given(originalTimestamp);
}

/** Returns the time of a message by our clock. */
function correctTime(message: Message, offsetMs: number): unknown {
  const sent = timeOf(message);
  if (typeof sent !== "string" || offsetMs === 0) return sent;
  const at = parseInstant(sent);
  // Validation reports an invalid time.
  return at === undefined ? sent : new Date(at + offsetMs).toISOString();
}
