/** One entry at the edge of a rule: refused for `field`, or accepted when there is none. */
export interface EntryCase {
  title: string;
  entry: Record<string, unknown>;
  /** Field that the refusal names; undefined for an entry that is accepted. */
  field?: string;
}

/** The moment of receipt the cases count from. */
export const receivedAt = new Date("2026-06-15T12:00:00.000Z");

const event = { external_id: "user-1", name: "viewed" };
const identify = { type: "identify", external_id: "user-1" };
const alias = { type: "alias", external_id: "user-1", previous_id: "user-1" };

interface Accepted {
  [field: string]: readonly unknown[];
}

/** Every case of every kind of payload. */
export function entryCases(): EntryCase[] {
  return [
    ...fieldCases(event, {
      accepted: {
        ...common,
        ...ids,
        name: ["n", "n".repeat(199), "n".repeat(200), "😀".repeat(200)],
      },
      refused: { ...badCommon, ...badIds, name: badNames },
    }),
    ...fieldCases(event, {
      accepted: {
        type: ["event", "track"],
        properties: [{}, { a: null, b: [1, "x"], c: { d: 1 } }],
      },
      refused: { type: ["", "Event", "page", null, 1], properties: notObjects },
    }),
    ...fieldCases(identify, {
      accepted: { ...common, ...ids, ...profile },
      refused: { ...badCommon, ...badIds, ...badProfile },
    }),
    ...fieldCases(alias, {
      accepted: { ...common, external_id: ["user-1"], previous_id: ["user-1"] },
      refused: { ...badCommon, external_id: badIdValues, previous_id: badIdValues },
    }),
    ...shapeCases(),
  ];
}

const longId = (length: number) => "i".repeat(length);
const goodIds = ["i", longId(254), longId(255), "😀".repeat(255), " padded ", "00", "nulls", "-12"];
const ids: Accepted = { external_id: goodIds, anon_id: goodIds };

export const placeholders = [
  ..."null undefined none nil nan true false 0 -1 anonymous guest unknown n/a {} []".split(" "),
  "[object object]",
  "00000000-0000-0000-0000-000000000000",
];
const badIdValues = [
  "",
  " ",
  '""',
  longId(256),
  "😀".repeat(256),
  ...placeholders,
  ...placeholders.map((placeholder) => ` ${placeholder.toUpperCase()}\n`),
  ...placeholders.map((placeholder) => `"${placeholder}"`),
  ...placeholders.map((placeholder) => `' ${placeholder}'`),
  ...placeholders.map((placeholder) => `\u201c${placeholder}\u201d`),
  ...placeholders.map((placeholder) => `\ufeff${placeholder}\u200b`),
  null,
  1,
  true,
  {},
  ["user-1"],
];
const badIds: Accepted = { external_id: badIdValues, anon_id: badIdValues };

const notObjects = [null, "x", 1, true, [], [{}]];

const badNames = [
  "",
  "n".repeat(201),
  "😀".repeat(201),
  ...["customer.", "campaign.", "journey.", "segment.", "sender.", "destination.", "$"].map((
    start,
  ) => `${start}x`),
  "ping",
  null,
  1,
  {},
];

const common: Accepted = {
  occurred_at: [
    "2000-01-01T00:00:00Z",
    "2000-01-01T01:00:00+01:00",
    "2026-06-16T12:00:00.000Z",
    "2026-06-16T14:00:00.000+02:00",
    "2024-02-29T23:59:59.123456789-15:59",
    "2016-12-31T23:59:60Z",
    "2016-12-31T23:59:60.250Z",
    "2016-12-31t18:59:60.999999999-05:00",
    "2026-01-01t00:00:00z",
  ],
  context: [{}, { ip: "", ua: "x" }, { ip: "2001:db8::1", page: { url: "https://a.example" } }],
  idempotency_key: ["k", "k".repeat(254), "k".repeat(255), "😀".repeat(255)],
};

const badCommon: Accepted = {
  occurred_at: [
    "1999-12-31T23:59:59.999Z",
    "2000-01-01T00:59:59+01:00",
    "2026-06-16T12:00:00.001Z",
    "2026-06-15T12:00:00",
    "2026-06-15",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-01-01T00:00:61Z",
    "2026-01-01T00:00:00+16:00",
    "2026-01-01T00:00:00+01:60",
    "2026-01-01T00:00:00.1234567890Z",
    "2026-01-01 00:00:00Z",
    "+012026-01-01T00:00:00Z",
    "yesterday",
    "",
    1781524800,
    null,
  ],
  context: notObjects,
  "context.ip": [1, null, {}],
  "context.ua": [1, null, []],
  idempotency_key: ["", "k".repeat(256), "😀".repeat(256), null, 1],
};

const profile: Accepted = {
  email: ["a@b", `${"a".repeat(251)}@b`, `${"a".repeat(252)}@b`, "ü@ä.example", null],
  phone: ["+1234567", "+123456789012345", "+1 (415) 555-01.23", "+[49]30123456", null],
  first_name: ["x", "x".repeat(254), "x".repeat(255), "😀".repeat(255), null],
  last_name: ["x", "x".repeat(254), "x".repeat(255), null],
  country: ["DE", "de", "Gb", null],
  timezone: ["Europe/Berlin", "europe/berlin", "Europe/Kiev", "US/Eastern", "UTC", null],
  locale: ["de", "de-de", "zh-Hant-TW", null],
  attributes: [{}, { a: 1, b: null, c: { d: [] } }, null],
};

const badProfile: Accepted = {
  email: ["", "a", "ab", "@b", "a@", "a@b@c", "a b@c", `${"a".repeat(253)}@b`, 1, {}],
  phone: [
    "",
    "4155550123",
    "+0123456",
    "+123456",
    "+1234567890123456",
    "+1415555o123",
    `+1 ${" ".repeat(100)}4155550123`,
    14155550123,
  ],
  first_name: ["", "x".repeat(256), "😀".repeat(256), 1, {}],
  last_name: ["", "x".repeat(256), 1, []],
  country: ["", "D", "DEU", "XX", "ZZ", "UK", "Germany", "\u00df", "\u0131e", 49],
  timezone: ["", "Mars/Olympus", "+02:00", "CET?", "Europe/Berlin ", "x".repeat(256), 1],
  locale: ["", "d", "en_US", "english!", "-de", "a".repeat(256), 1],
  attributes: notObjects.filter((value) => value !== null),
};

function fieldCases(
  base: Record<string, unknown>,
  { accepted, refused }: { accepted: Accepted; refused: Accepted },
): EntryCase[] {
  const build = (values: Accepted, isRefused: boolean) =>
    Object.entries(values).flatMap(([field, all]) =>
      all.map((value): EntryCase => ({
        title: `${base.type ?? "event"} ${field} ${JSON.stringify(value).slice(0, 60)}`,
        entry: withField(base, field, value),
        ...(isRefused && { field }),
      }))
    );
  return [...build(accepted, false), ...build(refused, true)];
}

function withField(base: Record<string, unknown>, field: string, value: unknown) {
  const [outer = "", inner] = field.split(".");
  return { ...base, [outer]: inner === undefined ? value : { [inner]: value } };
}

function shapeCases(): EntryCase[] {
  return [
    { title: "event without name", entry: { external_id: "user-1" }, field: "name" },
    { title: "event without id", entry: { name: "viewed" }, field: "" },
    { title: "event with anon_id alone", entry: { anon_id: "a-1", name: "viewed" } },
    { title: "event with both ids", entry: { ...event, anon_id: "a-1" } },
    { title: "event with a typo", entry: { ...event, propertes: {} }, field: "propertes" },
    { title: "event with a profile field", entry: { ...event, email: "a@b" }, field: "email" },
    { title: "identify without id", entry: { type: "identify" }, field: "" },
    { title: "identify with anon_id alone", entry: { type: "identify", anon_id: "a-1" } },
    { title: "identify with both ids", entry: { ...identify, anon_id: "a-2" } },
    { title: "identify with a name", entry: { ...identify, name: "x" }, field: "name" },
    {
      title: "alias without external_id",
      entry: { type: "alias", previous_id: "user-1" },
      field: "external_id",
    },
    {
      title: "alias without previous_id",
      entry: { type: "alias", external_id: "user-1" },
      field: "previous_id",
    },
    { title: "alias with anon_id", entry: { ...alias, anon_id: "a-1" }, field: "anon_id" },
    { title: "empty object", entry: {}, field: "name" },
  ];
}
