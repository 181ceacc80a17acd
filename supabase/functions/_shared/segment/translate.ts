import { country, email, phone, shortText } from "../entries/fields.ts";
import type { ErrorDetail } from "../errors.ts";
import { isRecord } from "../json.ts";

export const segmentTypes = ["track", "identify", "alias", "page", "screen", "group"] as const;

export type SegmentType = (typeof segmentTypes)[number];

/** An entry as `POST /track` takes it, or why a message cannot be one. */
export type Translated =
  | { ok: true; entry: Record<string, unknown> }
  | { ok: false; details: readonly ErrorDetail[] };

export interface SegmentOrigin {
  /** What the path says; without it, the message's own `type` counts. */
  type?: SegmentType | undefined;
  /** When the client sent the request, by its own clock. */
  sentAt: unknown;
  /** Moment of receipt in ms. */
  receivedAt: number;
}

type Message = Record<string, unknown>;

const skewThresholdMs = 60_000;

const profileFields = {
  email: { field: "email", schema: email },
  phone: { field: "phone", schema: phone },
  firstName: { field: "first_name", schema: shortText },
  first_name: { field: "first_name", schema: shortText },
  lastName: { field: "last_name", schema: shortText },
  last_name: { field: "last_name", schema: shortText },
  country: { field: "country", schema: country },
} as const;

/**
 * Makes an entry of a message of Segment's libraries. Fields that have no meaning here
 * (`integrations`, `_metadata`, …) are left out; nothing that the product sent is.
 */
export function translateSegment(message: unknown, origin: SegmentOrigin): Translated {
  if (!isRecord(message)) return refuse("", "must be a JSON object");
  const type = origin.type ?? message.type;
  const common = {
    occurred_at: correctTime(message, origin),
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
      return entry({ type, ...ids, ...translateTraits(message.traits), ...common });
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

/** The libraries write null and "" for an id they do not have. */
function asId(value: unknown): unknown {
  if (value === null || value === "") return undefined;
  return typeof value === "number" ? String(value) : value;
}

function given(value: unknown): unknown {
  return value === null ? undefined : value;
}

function entry(fields: Message): Translated {
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
  const { userAgent } = context;
  return typeof userAgent === "string" && context.ua === undefined
    ? { ...context, ua: userAgent }
    : context;
}

/** The profile fields among the traits; what is no valid value of one is kept as an attribute. */
function translateTraits(traits: unknown): Message {
  if (traits === undefined || traits === null) return {};
  if (!isRecord(traits)) return { attributes: traits };
  const profile: Message = {};
  const attributes: [string, unknown][] = [];
  for (const [name, value] of Object.entries(traits)) {
    const known = Object.hasOwn(profileFields, name)
      ? profileFields[name as keyof typeof profileFields]
      : undefined;
    if (known !== undefined && (value === null || known.schema.safeParse(value).success)) {
      profile[known.field] = value;
    } else {
      attributes.push([name, value]);
    }
  }
  const home = isRecord(traits.address) ? traits.address.country : undefined;
  if (profile.country === undefined && country.safeParse(home).success) profile.country = home;
  return { ...profile, attributes: Object.fromEntries(attributes) };
}

/** The browser aliases a visitor by their anonymous id: that is an identify. */
function translateAlias(message: Message): Message {
  const external_id = asId(message.userId);
  const previous = asId(message.previousId);
  if (previous !== undefined && previous === asId(message.anonymousId)) {
    return { type: "identify", external_id, anon_id: previous };
  }
  return { type: "alias", external_id, previous_id: previous };
}

/**
 * The time of a message by our clock. The difference between the clocks is known only as far as
 * the request's own way here is short, so that a small one is left alone.
 */
function correctTime({ timestamp, originalTimestamp }: Message, origin: SegmentOrigin): unknown {
  const sent = given(timestamp) ?? given(originalTimestamp);
  if (typeof sent !== "string") return sent;
  const { sentAt, receivedAt } = origin;
  const skew = receivedAt - (typeof sentAt === "string" ? Date.parse(sentAt) : NaN);
  const corrected = new Date(Date.parse(sent) + skew);
  // No date when the sum is out of range: validation tells what is wrong with the time as sent.
  if (!(Math.abs(skew) > skewThresholdMs) || Number.isNaN(corrected.getTime())) return sent;
  return corrected.toISOString();
}
