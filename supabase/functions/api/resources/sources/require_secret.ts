import { type ErrorDetail, invalidInput } from "../../../_shared/errors/errors.ts";
import { checkSecret } from "../../../_shared/sources/secrets.ts";
import type { Scheme, SchemeSettings } from "../../../_shared/sources/sources.ts";

type Signing = { scheme: Scheme } & { [K in keyof SchemeSettings]?: SchemeSettings[K] | undefined };

/** Throws `invalid_input` for a value that cannot be the source's secret. */
export function requireSecret(signing: Signing, given: string | undefined): void {
  const message = given === undefined ? undefined : checkSecret(signing, given);
  if (message !== undefined) throw invalidInput([{ field: "secret", message }]);
}

/** Throws `invalid_input` if settings of the scheme are missing, or belong to another scheme. */
export function requireSettings({ scheme, hmac, topic_arn }: Signing): void {
  const details = [
    ...checkSetting({ scheme, field: "hmac", owner: "hmac", value: hmac }),
    ...checkSetting({ scheme, field: "topic_arn", owner: "sns", value: topic_arn }),
  ];
  if (details.length > 0) throw invalidInput(details);
}

interface Setting {
  scheme: Scheme;
  field: keyof SchemeSettings;
  /** The scheme that needs this setting. */
  owner: Scheme;
  value: unknown;
}

function checkSetting({ scheme, field, owner, value }: Setting): ErrorDetail[] {
  const isGiven = value !== undefined && value !== null;
  if (isGiven === (scheme === owner)) return [];
  const message = isGiven
    ? `must be left out: it belongs to the scheme "${owner}"`
    : `is required with the scheme "${owner}"`;
  return [{ field, message }];
}
