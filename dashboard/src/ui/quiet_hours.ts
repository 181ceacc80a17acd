import { clockForm } from "../../../supabase/functions/api/contract/clock_form.ts";

type FormErrors = Readonly<Record<string, unknown>>;

/** Quiet hours as a form has them; empty texts for none. */
interface QuietFields {
  quiet_from: string;
  quiet_to: string;
}

/** Returns the errors of the two fields of quiet hours. The first field shows errors of the whole. */
export function quietErrors(errors: FormErrors): { from?: string; to?: string } {
  const read = (name: string) => errors[name] as string | undefined;
  const [from, to] = [read("quiet_hours.from"), read("quiet_hours.to")];
  const first = from ?? (to === undefined ? read("quiet_hours") : undefined);
  return { ...(first && { from: first }), ...(to && { to }) };
}

/** Finds a time that is missing or that is not one. */
export function checkQuiet(fields: QuietFields): Record<string, string> {
  const times = Object.entries(writeQuiet(fields) ?? {});
  return Object.fromEntries(
    times.filter(([, time]) => !clockForm.test(time)).map(([name, time]) => [
      `quiet_hours.${name}`,
      time === "" ? "Fill in both times, or neither" : "Use 24-hour time, such as 21:00",
    ]),
  );
}

/** Returns the quiet hours as the api takes them; null for none. */
export function writeQuiet(
  { quiet_from, quiet_to }: QuietFields,
): { from: string; to: string } | null {
  const [from, to] = [writeClock(quiet_from), writeClock(quiet_to)];
  return from === "" && to === "" ? null : { from, to };
}

/** Completes "9:00" to "09:00". */
function writeClock(text: string): string {
  const time = text.trim();
  return /^\d:\d\d$/.test(time) ? `0${time}` : time;
}
