const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const labelWidth = 14;

/** An indented line of the report. */
export function line(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}${text}`;
}

/** A whole number with thousands separated. */
export function count(value: number): string {
  return number.format(value);
}
