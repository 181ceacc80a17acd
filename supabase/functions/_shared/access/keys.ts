import { cellForm, firstCell } from "../config/cells.ts";
import { crc32 } from "../ids/crc32.ts";

const prefix = "pk_";
const cellLength = 2;
const randomLength = 32;
const checksumLength = 6;
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const keyForm = /^pk_(?:[0-9a-f]{2})?[0-9A-Za-z]{38}$/;

/** A new key: `key` is shown once, `hash` (SHA-256, 32 bytes) and `lastFour` are stored. */
export interface GeneratedKey {
  key: string;
  hash: Uint8Array;
  lastFour: string;
}

/**
 * Generates `pk_`, the two digits of the cell, 32 random base62 characters, and the CRC-32 of the
 * 34 as 6 base62 characters.
 */
export async function generateApiKey(cell: string = firstCell): Promise<GeneratedKey> {
  if (!cellForm.test(cell)) throw new Error(`Cannot generate key: "${cell}" is not a cell`);
  const body = cell + randomCharacters(randomLength);
  const key = prefix + body + checksum(body);
  return { key, hash: await hashApiKey(key), lastFour: key.slice(-4) };
}

/** Checks the form and the checksum of `key`. Costs no lookup. */
export function isApiKey(key: string): boolean {
  if (!keyForm.test(key)) return false;
  return key.endsWith(checksum(key.slice(prefix.length, -checksumLength)));
}

/** Returns the cell that a key names; the first cell for a key from before there were cells. */
export function readKeyCell(key: string): string {
  const hasCell = key.length === prefix.length + cellLength + randomLength + checksumLength;
  return hasCell ? key.slice(prefix.length, prefix.length + cellLength) : firstCell;
}

/** Masks everything that looks like a key, except its last four characters. */
export function maskApiKeys(text: string): string {
  return text.replaceAll(/pk_[0-9A-Za-z]{38,40}/g, (key) => `pk_…${key.slice(-4)}`);
}

/** Returns the SHA-256 of a key. A key has 190 random bits, so a slow hash would add nothing. */
export async function hashApiKey(key: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(key)));
}

function randomCharacters(count: number): string {
  let characters = "";
  while (characters.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count))) {
      // 248 is the largest multiple of 62 in a byte: higher values would make some characters
      // likelier.
      if (byte < 248 && characters.length < count) characters += alphabet[byte % alphabet.length];
    }
  }
  return characters;
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
