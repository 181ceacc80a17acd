/** Labels of fields that are not their names. */
const labels: Readonly<Record<string, string>> = {
  url: "URL",
  timezone: "Time zone",
  campaign_confirm_above: "Confirm campaigns above",
  campaign_complaint_rate: "Pause at complaints",
};

/** Names a field in a sentence: "Event types", "URL". */
export function nameField(field: string): string {
  const label = labels[field];
  if (label !== undefined) return label;
  const words = field.replaceAll("_", " ").replace(/\bid\b/, "ID");
  return `${words[0]?.toUpperCase() ?? ""}${words.slice(1)}`;
}
