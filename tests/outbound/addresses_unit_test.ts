import assert from "node:assert/strict";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import {
  parseAllowedCidrs,
  resolveAndCheck,
  validateDestinationUrl,
} from "../../supabase/functions/_shared/outbound/addresses.ts";
import { isSpecial } from "../../supabase/functions/_shared/outbound/special_addresses.ts";

const nothing = parseAllowedCidrs("");
const loopback = parseAllowedCidrs("127.0.0.0/8, ::1/128");

/** First and last address of every block of both IANA registries, and of multicast. */
const specialAddresses = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["169.254.0.0", "169.254.169.254", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.9", "192.0.0.170", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.31.196.0", "192.31.196.255"],
  ["192.52.193.0", "192.52.193.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["192.175.48.0", "192.175.48.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "239.255.255.255"],
  ["240.0.0.0", "255.255.255.255"],
  ["::", "::1", "::7f00:1", "::ffff:0:127.0.0.1"],
  ["::ffff:0.0.0.0", "::ffff:127.0.0.1", "::ffff:169.254.169.254", "::ffff:255.255.255.255"],
  ["64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b::10.0.0.1"],
  ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["100::", "100::ffff:ffff:ffff:ffff", "100:0:0:1::", "100:0:0:1:ffff:ffff:ffff:ffff"],
  ["2001::", "2001:0:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:1::1", "2001:1::2", "2001:1::3", "2001:2::", "2001:2:0:ffff:ffff:ffff:ffff:ffff"],
  ["2001:3::", "2001:3:ffff:ffff:ffff:ffff:ffff:ffff", "2001:4:112::", "2001:4:112:ffff::"],
  ["2001:10::", "2001:1f:ffff::", "2001:20::", "2001:2f:ffff::", "2001:30::", "2001:3f:ffff::"],
  ["2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2002::", "2002:7f00:1::1", "2002:0808:0808::1", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2620:4f:8000::", "2620:4f:8000:ffff:ffff:ffff:ffff:ffff"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fc00::", "fd00:ec2::254", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fe80::", "fe80::1%eth0", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fec0::", "ff00::", "ff02::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
].flat();

/** The neighbours of those blocks, and addresses that translate to public ones. */
const publicAddresses = [
  ["1.0.0.0", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"],
  ["126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0", "172.15.255.255"],
  ["172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.167.255.255", "192.169.0.0"],
  ["198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0", "223.255.255.255"],
  ["2000::", "2001:200::", "2001:4860:4860::8888", "2001:db7:ffff::", "2001:db9::"],
  ["2001:ffff::", "2003::", "2606:4700:4700::1111", "2620:4f:7fff::", "2620:4f:8001::"],
  ["2a00:1450:4001::200e", "3ffe:ffff::", "3fff:1000::", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"],
].flat();

function check(
  url: string,
  { addresses = [] as string[], allowed = nothing } = {},
): ReturnType<typeof resolveAndCheck> {
  return resolveAndCheck({ url, allowed, resolve: () => Promise.resolve(addresses) });
}

Deno.test("isSpecial() covers every block of the IANA registries to its last address", () => {
  for (const address of specialAddresses) assert(isSpecial(ipaddr.parse(address)), address);
});

Deno.test("isSpecial() lets the neighbours of those blocks through", () => {
  for (const address of publicAddresses) assert(!isSpecial(ipaddr.parse(address)), address);
});

const ipv4 = fc.ipV4().map((text) => ipaddr.parse(text) as ipaddr.IPv4);
const ipv6 = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) =>
  new ipaddr.IPv6([...bytes])
);

Deno.test("isSpecial() refuses every address that ipaddr.js does not call unicast", () => {
  const unwrapped: string[] = ["unicast", "ipv4Mapped", "rfc6052"];
  fc.assert(fc.property(fc.oneof(ipv4, ipv6), (address) => {
    assert(unwrapped.includes(address.range()) || isSpecial(address), address.toString());
  }));
});

Deno.test("isSpecial() refuses all IPv6 outside 2000::/3 without an embedded IPv4 address", () => {
  const outside = ipv6.filter((address) => ((address.parts[0] ?? 0) >> 13) !== 1);
  fc.assert(fc.property(outside, (address) => {
    assert(isSpecial(address), address.toString());
  }));
});

Deno.test("isSpecial() checks v4-mapped and NAT64 addresses as the embedded IPv4 address", () => {
  fc.assert(fc.property(ipv4, (address) => {
    assert.equal(isSpecial(address.toIPv4MappedAddress()), isSpecial(address));
    assert.equal(isSpecial(ipaddr.parse(`64:ff9b::${address}`)), isSpecial(address));
  }));
});

Deno.test("validateDestinationUrl() accepts https on port 443, or 1024 and up", () => {
  const accepted = ["https://example.com", "https://example.com:443/x?y=1", "HTTPS://Example.COM/"]
    .concat(["https://example.com:1024/", "https://example.com:65535/", "https://8.8.8.8/"])
    .concat(["https://[2606:4700:4700::1111]/", "https://bücher.example/", "https://a.b.c./"]);
  for (const url of accepted) assert(validateDestinationUrl(url, nothing).ok, url);
});

const refused: [string, RegExp][] = [
  ["", /absolute https URL/],
  ["example.com", /absolute https URL/],
  ["//example.com", /absolute https URL/],
  ["https:example.com", /absolute https URL/],
  ["https://", /absolute https URL/],
  ["ftp://example.com", /absolute https URL/],
  ["file:///etc/passwd", /absolute https URL/],
  ["javascript:alert(1)", /absolute https URL/],
  [" https://example.com", /absolute https URL/],
  ["https://exa\tmple.com", /absolute https URL/],
  ["https://example.com/\r\nX: 1", /absolute https URL/],
  ["https://example.com\\@127.0.0.1/", /absolute https URL/],
  [`https://example.com/${"x".repeat(2048)}`, /at most 2048/],
  ["https://example.com:65536/", /absolute https URL/],
  ["https://1.2.3.4.5/", /absolute https URL/],
  ["https://[fe80::1%25eth0]/", /absolute https URL/],
  ["http://example.com/", /must use https/],
  ["http://8.8.8.8/", /must use https/],
  ["https://user@example.com/", /user name or a password/],
  ["https://:secret@example.com/", /user name or a password/],
  ["https://example.com:22/", /port 443/],
  ["https://example.com:80/", /port 443/],
  ["https://example.com:1023/", /port 443/],
  ["https://localhost/", /public internet/],
  ["https://LOCALHOST./", /public internet/],
  ["https://x.localhost/", /public internet/],
  ["https://intranet/", /public internet/],
];

for (const [url, message] of refused) {
  Deno.test(`validateDestinationUrl() refuses ${JSON.stringify(url.slice(0, 40))}`, () => {
    const result = validateDestinationUrl(url, nothing);
    assert(!result.ok);
    assert.match(result.message, message);
  });
}

const loopbackForms = ["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1"]
  .concat(["017700000001", "0177.0.0.1", "0177.0x0.1", "127.0.0.1.", "%31%32%37.0.0.1"])
  .concat(["①②⑦.⓪.⓪.①", "127。0。0。1", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]"])
  .concat(["[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[::127.0.0.1]"])
  .concat(["[2001:0:7f00:1:0:0:80ff:fffe]", "0", "0.0.0.0", "[::]"]);

for (const host of loopbackForms) {
  Deno.test(`validateDestinationUrl() sees through the host ${host}`, async () => {
    const result = validateDestinationUrl(`https://${host}/`, nothing);
    assert.deepEqual(result, {
      ok: false,
      message: "url must name a host on the public internet",
    });
    const attempt = await check(`https://${host}/`, { addresses: ["8.8.8.8"] });
    assert(!attempt.ok);
    assert.equal(attempt.error, "address_not_allowed");
  });
}

Deno.test("validateDestinationUrl() sees through any spelling of any special IPv4 address", () => {
  const special = ipv4.filter((address) => isSpecial(address));
  fc.assert(fc.property(special, (address) => {
    const number = address.toByteArray().reduce((sum, byte) => sum * 256 + byte, 0);
    const hosts = [address.toString(), String(number), `0x${number.toString(16)}`]
      .concat([`0${number.toString(8)}`, `[::ffff:${address}]`, `[64:ff9b::${address}]`]);
    for (const host of hosts) assert(!validateDestinationUrl(`https://${host}/`, nothing).ok, host);
  }));
});

Deno.test("resolveAndCheck() returns all addresses of a public name", async () => {
  const result = await check("https://example.com/hook", {
    addresses: ["93.184.215.14", "2606:4700::6810:1", "::ffff:8.8.8.8"],
  });
  assert(result.ok);
  assert.equal(result.url.href, "https://example.com/hook");
  assert.deepEqual(result.addresses, ["93.184.215.14", "2606:4700::6810:1", "8.8.8.8"]);
});

Deno.test("resolveAndCheck() refuses a name with one bad address among good ones", async () => {
  for (const bad of specialAddresses) {
    for (const addresses of [[bad, "8.8.8.8"], ["8.8.8.8", "2606:4700::1", bad]]) {
      const result = await check("https://example.com/", { addresses });
      assert(!result.ok && result.error === "dns", bad);
      assert.doesNotMatch(result.message, /\d/);
    }
  }
});

Deno.test("resolveAndCheck() refuses anything it cannot parse as an address", async () => {
  const unreadable = ["0x7f.1", "127.1", "2130706433", "010.0.0.1", "example.com", "", "8.8.8.8 "];
  for (const address of unreadable) {
    const result = await check("https://example.com/", { addresses: [address] });
    assert(!result.ok && result.error === "dns", address);
  }
});

Deno.test("resolveAndCheck() returns dns for a name without addresses or a failed lookup", async () => {
  const empty = await check("https://example.com/");
  assert(!empty.ok && empty.error === "dns");
  const failed = await resolveAndCheck({
    url: "https://example.com/",
    allowed: nothing,
    resolve: () => Promise.reject(new Error("SERVFAIL from 10.0.0.2")),
  });
  assert(!failed.ok && failed.error === "dns");
  assert.doesNotMatch(failed.message, /\d/);
});

Deno.test("resolveAndCheck() returns the same error for a forbidden name and an unknown one", async () => {
  const forbidden = await check("https://internal.example/", { addresses: ["10.0.0.1"] });
  const missing = await check("https://missing.example/");
  assert.deepEqual(forbidden, missing);
});

Deno.test("DESTINATION_ALLOWED_CIDRS allows its ranges, and http only for them", async () => {
  const allowed = loopback;
  for (const host of ["127.0.0.1:8080", "localhost:8080", "[::1]:8080", "[::ffff:127.0.0.1]"]) {
    assert(validateDestinationUrl(`http://${host}/`, allowed).ok, host);
  }
  assert(!validateDestinationUrl("http://10.0.0.1/", allowed).ok);
  assert(!validateDestinationUrl("http://8.8.8.8/", allowed).ok);
  assert((await check("http://localhost/", { addresses: ["127.0.0.1"], allowed })).ok);
  assert((await check("https://example.com/", { addresses: ["8.8.8.8"], allowed })).ok);
  for (const addresses of [["8.8.8.8"], ["127.0.0.1", "8.8.8.8"], ["10.0.0.1"]]) {
    const result = await check("http://example.com/", { addresses, allowed });
    assert(!result.ok && result.error === "dns");
  }
});

Deno.test("parseAllowedCidrs() names the range that it cannot read", () => {
  assert.deepEqual(parseAllowedCidrs(" "), []);
  for (const text of ["127.0.0.1", "10.0.0.0/33", "everything"]) {
    assert.throws(() => parseAllowedCidrs(`127.0.0.0/8,${text}`), {
      name: "RangeError",
      message: `Cannot read DESTINATION_ALLOWED_CIDRS: "${text}" is not a CIDR`,
    });
  }
});
