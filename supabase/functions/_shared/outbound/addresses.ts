import ipaddr from "ipaddr.js";
import { isInRanges, isSpecial, unwrapIpv4 } from "./special_addresses.ts";

const maxUrlLength = 2048;
const firstFreePort = 1024;

/** Ranges of `DESTINATION_ALLOWED_CIDRS`, allowed although they are special. */
export type AllowedRanges = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

/** Resolves a host name to all its addresses; throws or returns `[]` if there are none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

export type UrlCheck = { ok: true; url: URL } | { ok: false; message: string };

export type AddressCheck =
  | { ok: true; url: URL; addresses: string[] }
  | { ok: false; error: "address_not_allowed" | "dns"; message: string };

/**
 * Parses `DESTINATION_ALLOWED_CIDRS`: ranges separated by commas, `127.0.0.0/8, ::1/128`.
 *
 * @throws RangeError naming the first invalid range
 */
export function parseAllowedCidrs(text: string): AllowedRanges {
  return text.split(",").map((cidr) => cidr.trim()).filter(Boolean).map((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) {
      throw new RangeError(`Cannot read DESTINATION_ALLOWED_CIDRS: "${cidr}" is not a CIDR`);
    }
    return ipaddr.parseCIDR(cidr);
  });
}

/**
 * Checks the URL of a destination without a lookup: form, scheme, port, and the host if it is an
 * address (the URL parser turns decimal, octal and hex forms into one). `resolveAndCheck` checks a
 * host name at every attempt. The message is a sentence for the API's caller.
 */
export function validateDestinationUrl(text: string, allowed: AllowedRanges): UrlCheck {
  const url = parseUrl(text);
  if (url === null) return refuse("url must be an absolute https URL of at most 2048 characters");
  if (url.username !== "" || url.password !== "") {
    return refuse("url must not contain a user name or a password");
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && allowed.length > 0)) {
    return refuse("url must use https");
  }
  // The URL parser drops the scheme's default port: 443, and 80 where http is allowed.
  if (url.port !== "" && url.port !== "443" && Number(url.port) < firstFreePort) {
    return refuse("url must use port 443, or 1024 and up");
  }
  return isHostRefused(url, allowed)
    ? refuse("url must name a host on the public internet")
    : { ok: true, url };
}

/**
 * Resolves a destination's host and checks all its addresses: one forbidden address forbids all.
 * The connection must go to one of the returned addresses. Messages contain no addresses, because
 * otherwise users could explore our network through URLs.
 */
export async function resolveAndCheck(
  { url: text, allowed, resolve }: { url: string; allowed: AllowedRanges; resolve: ResolveHost },
): Promise<AddressCheck> {
  const checked = validateDestinationUrl(text, allowed);
  if (!checked.ok) return notAllowed();
  const { url } = checked;
  const literal = parseLiteral(url.hostname);
  const found = literal === null ? await lookUp(url.hostname, resolve) : [literal.toString()];
  // Names on our network must get the same response as unknown names.
  const refusal = literal === null ? noPublicAddress() : notAllowed();
  if (found.length === 0) return refusal;
  const addresses: string[] = [];
  for (const entry of found) {
    const address = parseAddress(entry);
    if (address === null || !isReachable(address, url, allowed)) return refusal;
    addresses.push(toConnectable(address));
  }
  return { ok: true, url, addresses };
}

function refuse(message: string): UrlCheck {
  return { ok: false, message };
}

function noPublicAddress(): AddressCheck {
  return { ok: false, error: "dns", message: "Cannot send: the host name has no public address" };
}

function notAllowed(): AddressCheck {
  return {
    ok: false,
    error: "address_not_allowed",
    message: "Cannot send: the host is not on the public internet",
  };
}

function parseUrl(text: string): URL | null {
  // The URL parser silently drops tabs and line breaks, so they are refused first.
  // deno-lint-ignore no-control-regex
  if (text.length > maxUrlLength || /[\x00-\x20\x7f\\]/.test(text)) return null;
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  return url === null || url.hostname === "" ? null : url;
}

function isHostRefused(url: URL, allowed: AllowedRanges): boolean {
  const literal = parseLiteral(url.hostname);
  if (literal !== null) return !isReachable(literal, url, allowed);
  const name = url.hostname.replace(/\.$/, "");
  const isLocalName = !name.includes(".") || name.endsWith(".localhost");
  return isLocalName && allowed.length === 0;
}

function isReachable(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  url: URL,
  allowed: AllowedRanges,
): boolean {
  if (isInRanges(address, allowed) || isInRanges(unwrapIpv4(address), allowed)) return true;
  return url.protocol === "https:" && !isSpecial(address);
}

function parseLiteral(hostname: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  return parseAddress(hostname.replace(/^\[(.*)\]$/, "$1"));
}

/** Parses only the plain forms: any other form from a resolver is unknown and so forbidden. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (text.includes(":") && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
  return null;
}

function toConnectable(address: ipaddr.IPv4 | ipaddr.IPv6): string {
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return (isMapped ? unwrapIpv4(address) : address).toString();
}

async function lookUp(hostname: string, resolve: ResolveHost): Promise<string[]> {
  try {
    return await resolve(hostname);
  } catch {
    return [];
  }
}
