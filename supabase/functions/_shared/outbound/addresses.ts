import ipaddr from "ipaddr.js";
import { isInRanges, isSpecial, unwrapIpv4 } from "./special_addresses.ts";

const maxUrlLength = 2048;
const firstFreePort = 1024;

/** Ranges of `DESTINATION_ALLOWED_CIDRS`, opened although they are special. */
export type AllowedRanges = readonly [ipaddr.IPv4 | ipaddr.IPv6, number][];

/** Every address of a host name; throws or answers `[]` when there is none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

export type UrlCheck = { ok: true; url: URL } | { ok: false; message: string };

export type AddressCheck =
  | { ok: true; url: URL; addresses: string[] }
  | { ok: false; error: "address_not_allowed" | "dns"; message: string };

/**
 * Reads `DESTINATION_ALLOWED_CIDRS`: ranges separated by commas, `127.0.0.0/8, ::1/128`.
 * @throws RangeError naming the first one that is no CIDR.
 */
export function parseAllowedCidrs(text: string): AllowedRanges {
  return text.split(",").map((cidr) => cidr.trim()).filter(Boolean).map((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) {
      throw new RangeError(`Cannot read DESTINATION_ALLOWED_CIDRS: "${cidr}" is no CIDR`);
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
    return refuse("url must not hold a user name or a password");
  }
  if (url.protocol !== "https:" && !(url.protocol === "http:" && allowed.length > 0)) {
    return refuse("url must use https");
  }
  // The URL parser drops the port that is the scheme's own: 443, and 80 where http is allowed.
  if (url.port !== "" && url.port !== "443" && Number(url.port) < firstFreePort) {
    return refuse("url must use port 443, or 1024 and up");
  }
  return isHostRefused(url, allowed)
    ? refuse("url must name a host that is reached over the public internet")
    : { ok: true, url };
}

/**
 * Resolves a destination's host and checks every address of it: if any is forbidden, all are.
 * The connection must go to one of the addresses answered here. No message holds an address,
 * or whoever sets the URL could explore our network with it.
 */
export async function resolveAndCheck(
  { url: text, allowed, resolve }: { url: string; allowed: AllowedRanges; resolve: ResolveHost },
): Promise<AddressCheck> {
  const checked = validateDestinationUrl(text, allowed);
  if (!checked.ok) return notAllowed();
  const { url } = checked;
  const literal = parseLiteral(url.hostname);
  const found = literal === null ? await lookUp(url.hostname, resolve) : [literal.toString()];
  // What a name of ours resolves to must not show: the same answer as for a name that is not there.
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
    message: "Cannot send: the host is not reached over the public internet",
  };
}

function parseUrl(text: string): URL | null {
  // The URL parser silently drops tabs and line breaks, so they are refused before it.
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

/** Only the plain forms: anything else a resolver may answer is unknown, and so forbidden. */
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
