import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { Transform } from "node:stream";
import { maskApiKeys } from "../access/keys.ts";

const chunkBytes = 2_048;

/** Coded bytes looked at for a byte of text: even what does not compress needs hardly over one. */
const codedPerByte = 4;

type CreateDecoder = (options: { chunkSize: number }) => Transform;

// A map, not an object: the name comes from the receiver and could be "constructor".
const decoders = new Map<string, CreateDecoder>([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["deflate", createInflate],
  ["br", createBrotliDecompress],
]);

/**
 * The start of an answer as text that Postgres can hold: valid UTF-8 of at most `maxBytes`, no
 * U+0000, no split character, no API key. A compressed body is inflated only as far as the text needs, so a
 * bomb costs no more than a plain body. `null` when the coding is unknown.
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
  // Streaming leaves out a character that is cut off at the end, instead of replacing it.
  const text = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
  const clean = maskApiKeys(text.replaceAll("\0", "\ufffd"));
  // A replacement character is longer than the byte it stands for.
  const { read } = new TextEncoder().encodeInto(clean, new Uint8Array(maxBytes));
  return clean.slice(0, read);
}

/** Damaged or cut-off input gives what could be inflated of it. */
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
