import { databaseApiError } from "../../_shared/db/errors.ts";
import { invalidInput } from "../../_shared/errors/errors.ts";

/** Returns the result of a read by `filter`; an error about its condition names the parameter. */
export async function nameFilter<Value>(read: Promise<Value>): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    const known = databaseApiError(error);
    if (known?.code !== "invalid_input" || known.details === undefined) throw error;
    throw invalidInput(known.details.map(({ field, message }) => ({
      field: field.replace(/^condition(?=$|[.[])/, "filter"),
      message,
    })));
  }
}
