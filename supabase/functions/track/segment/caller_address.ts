const addressForm = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:.]*)$/i;
const longestAddress = 45;

/**
 * Returns a request's source address as reported by the gateway in front of the functions;
 * undefined without one. Use it for information only: without that gateway, callers can set any
 * address.
 */
export function readCallerAddress(headers: Headers): string | undefined {
  // The hosted gateway sets the first header itself, and keeps the caller's value in the second.
  const told = headers.get("cf-connecting-ip") ?? headers.get("x-forwarded-for");
  const address = told?.split(",")[0]?.trim() ?? "";
  return address.length <= longestAddress && addressForm.test(address) ? address : undefined;
}
