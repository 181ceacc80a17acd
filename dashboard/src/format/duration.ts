/** Units of a duration such as "7d", as a select shows them. */
export const durationUnits = [
  { value: "s", label: "seconds" },
  { value: "m", label: "minutes" },
  { value: "h", label: "hours" },
  { value: "d", label: "days" },
  { value: "w", label: "weeks" },
];

/** Describes a duration: "7d" as "7 days", "1h" as "hour". Other texts stay as they are. */
export function describeDuration(text: string): string {
  const [, amount = "", unit = ""] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  const label = durationUnits.find(({ value }) => value === unit)?.label;
  if (label === undefined) return text;
  return amount === "1" ? label.slice(0, -1) : `${amount} ${label}`;
}

/** Writes a duration with its number: "7d" as "7 days", "1h" as "1 hour". */
export function writeDuration(text: string): string {
  const described = describeDuration(text);
  return text.startsWith("1") && /^[a-z]+$/.test(described) ? `1 ${described}` : described;
}

/** Splits the text of a duration field into its number and its unit: "s" has a unit only. */
export function splitDuration(text: string): { number: string; unit: string | undefined } {
  const [, number = "", unit] = /^(.*?)([smhdw]?)$/s.exec(text) ?? [];
  return { number, unit: unit || undefined };
}
