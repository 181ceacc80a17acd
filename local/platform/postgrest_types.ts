/** Conversions of types that the Data API and the database driver write differently. */
export const postgrestTypes = {
  // Arguments of a remote call arrive as text already.
  jsonb: {
    to: 3802,
    from: [3802],
    serialize: (value: unknown) => isJsonText(value) ? value : JSON.stringify(value),
    parse: JSON.parse,
  },
  timestamptz: {
    to: 1184,
    from: [1184],
    serialize: (value: unknown) => value instanceof Date ? value.toISOString() : value,
    parse: (text: string) => text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"),
  },
  numeric: { to: 1700, from: [1700], serialize: String, parse: Number },
  bytea: {
    to: 17,
    from: [17],
    serialize: (value: unknown) => value,
    parse: (text: string) => text,
  },
};

function isJsonText(value: unknown): value is string {
  if (typeof value !== "string") return false;
  try {
    JSON.parse(value);
    return true;
  } catch {
    return false;
  }
}
