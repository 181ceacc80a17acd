import { invalidInput } from "../../../_shared/errors.ts";
import { checkSecret } from "../../../_shared/inbound/secrets.ts";
import type { Scheme } from "../../../_shared/inbound/sources.ts";

/** Throws `invalid_input` for what cannot be a secret of the scheme. */
export function requireSecret(scheme: Scheme, given: string | undefined): void {
  const message = given === undefined ? undefined : checkSecret(scheme, given);
  if (message !== undefined) throw invalidInput([{ field: "secret", message }]);
}
