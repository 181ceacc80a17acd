import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Transform } from "node:stream";
import { maskApiKeys } from "../access/keys.ts";

const chunkBytes = 2_048;

/** Compressed bytes read per byte of text: even incompressible data needs hardly more than one. */
const codedPerByte = 4;

/** Most bytes of UTF-8 per unit of a string's length. */
const maxBytesPerUnit = 3;

type CreateDecoder = (options: { chunkSize: number }) => Transform;

// A Map, not an object: the name comes from the receiver and could be "constructor".
const decoders = new Map<string, CreateDecoder>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/**
 * Returns the start of a response as text that Postgres can store: valid UTF-8 of at most
 * `maxBytes`, without U+0000, split characters or API keys. A compressed body is inflated only as
 * needed, so a zip bomb costs no more than a plain body. `null` if the encoding is unknown.
 */
export async function readResponseSnippet(
  { body, encoding, maxBytes }: { body: Uint8Array; encoding: string | null; maxBytes: number },
): Promise<string | null> {
  const coding = encoding?.trim().toLowerCase() || "identity";
  if (body.length === 0 || coding === "identity") return decodeText(body, maxBytes);
  const createDecoder = decoders.get(coding);
  if (createDecoder === undefined) return null;
  return decodeText(await inflateStart({ body, createDecoder, maxBytes }), maxBytes);
}

function decodeText(bytes: Uint8Array, maxBytes: number): string {
  // Streaming mode drops a truncated character at the end instead of replacing it.
  const text = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
  const clean = maskApiKeys(text.replaceAll("\0", "\ufffd"));
  if (clean.length * maxBytesPerUnit <= maxBytes) return clean;
  // A replacement character is longer than the byte it replaces.
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(maxBytes));
  return clean.slice(0, read);
}

/** Inflates the start of the input; damaged or truncated input returns the part that worked. */
function inflateStart(
  { body, createDecoder, maxBytes }: {
    body: Uint8Array;
    createDecoder: CreateDecoder;
    maxBytes: number;
  },
): Promise<Uint8Array> {
  return new Promise((resolve) => {
    const decoder = createDecoder({ chunkSize: chunkBytes });
    const start = new Uint8Array(maxBytes);
    let size = 0;
    const finish = () => {
      decoder.destroy();
      resolve(start.subarray(0, size));
    };
    decoder.on("error", finish);
    decoder.on("end", finish);
    decoder.on("data", (chunk: Uint8Array) => {
      const kept = chunk.subarray(0, maxBytes - size);
      start.set(kept, size);
      size += kept.length;
      if (size === maxBytes) finish();
    });
    decoder.end(body.subarray(0, maxBytes * codedPerByte));
  });
}
