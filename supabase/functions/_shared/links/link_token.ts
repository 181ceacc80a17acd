import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";

/** Purposes of a link, each with the letter that its path and its token use. */
export const linkKinds = {
  unsubscribe: "u",
  preferences: "p",
  open: "o",
  click: "c",
} as const;

export type LinkKind = keyof typeof linkKinds;

/** The send that a link belongs to. A link names no address and no URL. */
export interface LinkTarget {
  kind: LinkKind;
  workspaceId: string;
  sendId: string;
  /** Position in the link table of the send; 0 for a link that is not a click. */
  index: number;
}

/** A token that was read and is not verified yet. */
export interface ClaimedLink extends LinkTarget {
  signed: Uint8Array;
  mac: Uint8Array;
}

const version = 1;
const signedBytes = 36;
const macBytes = 16;
const tokenForm = /^[A-Za-z0-9_-]{70}$/;
/** Most clicks of a message: the index has 16 bits. */
export const maxLinks = 0x10000;

/**
 * Makes the token of a link: base64url of version, kind, workspace (16 bytes), send (16), index (2)
 * and the first 16 bytes of their HMAC-SHA256.
 *
 * @throws RangeError for an index that does not fit
 */
export function makeLinkToken(key: Uint8Array, target: LinkTarget): string {
  const { kind, workspaceId, sendId, index } = target;
  if (!Number.isInteger(index) || index < 0 || index >= maxLinks) {
    throw new RangeError(`Cannot make link: index "${index}" does not fit`);
  }
  const signed = Buffer.concat([
    Buffer.from([version, linkKinds[kind].charCodeAt(0)]),
    writeUuid(workspaceId),
    writeUuid(sendId),
    Buffer.from([index >> 8, index & 0xff]),
  ]);
  return Buffer.concat([signed, computeMac(key, signed)]).toString("base64url");
}

/** Reads a token without verifying it; undefined if it is malformed. */
export function readLinkToken(token: string): ClaimedLink | undefined {
  if (!tokenForm.test(token)) return undefined;
  const bytes = Buffer.from(token, "base64url");
  // The spare bits of the last character would allow several spellings of one token.
  if (bytes.toString("base64url") !== token) return undefined;
  const letter = String.fromCharCode(bytes[1]!);
  const kind = (Object.keys(linkKinds) as LinkKind[]).find((name) => linkKinds[name] === letter);
  if (bytes[0] !== version || kind === undefined) return undefined;
  return {
    kind,
    workspaceId: readUuid(bytes.subarray(2, 18)),
    sendId: readUuid(bytes.subarray(18, 34)),
    index: bytes.readUInt16BE(34),
    signed: bytes.subarray(0, signedBytes),
    mac: bytes.subarray(signedBytes),
  };
}

/** Verifies a token with the key of its workspace, in constant time. */
export function verifyLink({ signed, mac }: ClaimedLink, key: Uint8Array): boolean {
  return timingSafeEqual(mac, computeMac(key, signed));
}

function computeMac(key: Uint8Array, signed: Uint8Array): Uint8Array {
  return createHmac("sha256", key).update(signed).digest().subarray(0, macBytes);
}

function writeUuid(id: string): Uint8Array {
  const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
  if (bytes.byteLength !== 16) throw new RangeError(`Cannot make link: "${id}" is not a UUID`);
  return bytes;
}

function readUuid(bytes: Buffer): string {
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
