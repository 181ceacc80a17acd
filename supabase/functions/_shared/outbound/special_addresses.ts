import ipaddr from "ipaddr.js";

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** All of the IANA IPv4 Special-Purpose Address Registry, and multicast. */
const forbiddenIpv4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private use
  "100.64.0.0/10", // shared address space of carriers
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, where clouds keep their metadata
  "172.16.0.0/12", // private use
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112
  "192.52.193.0/24", // automatic multicast tunneling
  "192.88.99.0/24", // 6to4 relays, deprecated
  "192.168.0.0/16", // private use
  "192.175.48.0/24", // AS112, direct delegation
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and limited broadcast
].map((cidr) => ipaddr.parseCIDR(cidr));

/** Entries of the IANA IPv6 Special-Purpose Address Registry within 2000::/3. */
const forbiddenIpv6 = [
  "2001::/23", // protocol assignments: Teredo, benchmarking, AMT, ORCHID, drone ids
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: leads to the IPv4 address it contains
  "2620:4f:8000::/48", // AS112, direct delegation
  "3fff::/20", // documentation
].map((cidr) => ipaddr.parseCIDR(cidr));

/**
 * The only space assigned as global unicast. Everything outside it is refused without a list:
 * loopback, unique local, link-local, multicast, discard-only, dummy, SRv6, v4-compatible and
 * v4-translated addresses, NAT64 for local use, and all reserved space.
 */
const globalUnicastIpv6 = ipaddr.parseCIDR("2000::/3");

const nat64 = ipaddr.parseCIDR("64:ff9b::/96");
const nat64Ipv4Bytes = 12;

/**
 * Checks whether an address has a special purpose. An IPv4 address within an IPv6 address is
 * unwrapped first.
 */
export function isSpecial(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const judged = unwrapIpv4(address);
  if (judged instanceof ipaddr.IPv4) return isInRanges(judged, forbiddenIpv4);
  return !isInRanges(judged, [globalUnicastIpv6]) || isInRanges(judged, forbiddenIpv6);
}

/**
 * Returns the IPv4 address that a v4-mapped or NAT64 (well-known prefix) address leads to, or the
 * address unchanged. 6to4 and Teredo are refused entirely, so their content does not matter.
 */
export function unwrapIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (isInRanges(address, [nat64])) {
    return new ipaddr.IPv4(address.toByteArray().slice(nat64Ipv4Bytes));
  }
  return address;
}

/** Checks whether an address lies in one of the ranges. IPv4 and IPv6 never match each other. */
export function isInRanges(
  address: ipaddr.IPv4 | ipaddr.IPv6,
  ranges: readonly Range[],
): boolean {
  return ranges.some(([base, bits]) => {
    if (address instanceof ipaddr.IPv4) {
      return base instanceof ipaddr.IPv4 && address.match(base, bits);
    }
    return base instanceof ipaddr.IPv6 && address.match(base, bits);
  });
}
