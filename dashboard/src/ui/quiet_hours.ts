type FormErrors = Readonly<Record<string, unknown>>;

/** Returns the errors of the two fields of quiet hours. The first field shows errors of the whole. */
export function quietErrors(errors: FormErrors): { from?: string; to?: string } {
  const read = (name: string) => {
    const error = errors[name] as string | undefined;
    return error?.includes("must be like") ? "Use 24-hour time, such as 21:00" : error;
  };
  const [from, to] = [read("quiet_hours.from"), read("quiet_hours.to")];
  const first = from ?? (to === undefined ? read("quiet_hours") : undefined);
  return { ...(first && { from: first }), ...(to && { to }) };
}

/** Finds the one of both times that is missing. */
export function checkQuiet(
  { quiet_from: from, quiet_to: to }: { quiet_from: string; quiet_to: string },
): Record<string, string> {
  const isEmpty = (time: string) => time.trim() === "";
  if (isEmpty(from) === isEmpty(to)) return {};
  return { [`quiet_hours.${isEmpty(from) ? "from" : "to"}`]: "Fill in both times, or neither" };
}
