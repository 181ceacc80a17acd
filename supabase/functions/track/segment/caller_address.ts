const addressForm = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i;
const longestAddress = 45;

/**
 * The address a request came from, as the gateway in front of the functions tells it; undefined
 * where none does. Good for information only: without that gateway a caller may send any.
 */
export function readCallerAddress(headers: Headers): string | undefined {
  // The hosted gateway sets the first itself, and keeps what callers put into the second.
  const told = headers.get("cf-connecting-ip") ?? headers.get("x-forwarded-for");
  const address = told?.split(",")[0]?.trim() ?? "";
  return address.length <= longestAddress && addressForm.test(address) ? address : undefined;
}
