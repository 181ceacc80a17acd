import type { Context } from "hono";
import type { StreamedResponse } from "./route.ts";

/**
 * Sends a streamed response. The first part is read before the status is sent, so that its errors
 * get a proper error response; a later error ends the connection. The next part is read when the
 * caller has received the one before it.
 */
export async function streamResponse(
  c: Context,
  { mediaType, fileName, parts }: StreamedResponse,
): Promise<Response> {
  const reader = parts[Symbol.asyncIterator]();
  const first = await reader.next();
  c.header("Content-Type", `${mediaType}; charset=utf-8`);
  c.header("Content-Disposition", `attachment; filename="${fileName}"`);
  c.header("Cache-Control", "no-store");
  return c.body(ReadableStream.from(encodeParts(first, reader)), 200);
}

async function* encodeParts(
  first: IteratorResult<string>,
  reader: AsyncIterator<string>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  try {
    for (let part = first; !part.done; part = await reader.next()) yield encoder.encode(part.value);
  } finally {
    await reader.return?.();
  }
}
