import { z } from "zod";
import { anyCaseUuidForm } from "../../_shared/ids/uuid.ts";

const keyPattern = "^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$";
const keyForm = new RegExp(keyPattern);
/** Words that an address has where a key would be. */
const takenWords = ["preview"];

const keyRule = 'must be 1 to 100 letters, digits, "_", "-" or ".", and begin with a letter or a ' +
  "digit";

/** Checks whether a text has the form of an id. */
export function isUuid(text: string): boolean {
  return anyCaseUuidForm.test(text);
}

/** A key that a caller gives to a resource; it cannot be mistaken for an id. */
export const resourceKey = z.string({
  error: ({ input }) => input === undefined ? "is required" : keyRule,
}).regex(keyForm, keyRule)
  .refine((value) => !isUuid(value), "must not be a UUID: ids have that form")
  .refine((value) => !takenWords.includes(value), `must not be "${takenWords.join('" or "')}"`)
  .meta({ pattern: keyPattern, minLength: 1, maxLength: 100, example: "vip" });

/** The id or the key of a resource; ids are converted to lower case. */
export const resourceName = z.string({
  error: ({ input }) => input === undefined ? "is required" : "must be an id or a key",
}).regex(keyForm, "must be an id or a key")
  .overwrite((value) => isUuid(value) ? value.toLowerCase() : value)
  .meta({ pattern: keyPattern, minLength: 1, maxLength: 100, example: "vip" });

/** Path parameters of routes that accept an id or a key. */
export const namedParams = z.strictObject({ id: resourceName });
