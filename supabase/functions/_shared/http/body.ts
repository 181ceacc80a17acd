import { ApiError, invalidInput } from "../errors/errors.ts";
import { describeFaults, type JsonOptions, parseJson } from "../json/json.ts";
import { createDeadlines } from "../event_loop/deadlines.ts";
import { runAtOnce, runInSlices, type Slices, type Steps } from "../event_loop/slices.ts";

/** Limits of a request body. */
export interface BodyLimits {
  /** Most bytes on the wire. @default 1 MiB */
  wireBytes?: number;
  /** Most bytes after decompression. @default 5 MiB */
  inflatedBytes?: number;
  /** Longest time from the first byte to the last, in ms. @default 30 s */
  receiveMs?: number;
  /** Media types accepted as JSON. @default application/json */
  mediaTypes?: readonly string[];
  /** Receives the size of the body in bytes once, even if the body is refused. */
  meter?: (bytes: number) => void;
  /** Slices for inflating and decoding. @default all at once */
  slices?: Slices;
}

/** A body as sent. */
export interface WireBody {
  bytes: Uint8Array<ArrayBuffer>;
  /** Compression of the bytes; undefined if there is none. */
  format: "gzip" | "deflate" | undefined;
}

/** Limits and checks of a JSON body. */
export type JsonBody = BodyLimits & JsonOptions;

const defaultWireBytes = 1024 * 1024;
const defaultInflatedBytes = 5 * 1024 * 1024;
const defaultReceiveMs = 30_000;
const inDefaultTime = createDeadlines(defaultReceiveMs);
// A body that announces no more is read in one piece, without a stream.
const smallBytes = 4 * 1024;
// A piece may inflate a thousandfold: at 2 KiB that takes about 5 ms, and exceeds the limit by at most 2 MiB.
const pieceBytes = 2048;
// A millisecond of decoding.
const decodedBytes = 512 * 1024;
const wholeDecoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a JSON body and refuses it if `parseJson` finds a fault.
 *
 * @throws {ApiError} `invalid_json`, `invalid_input`, `payload_too_large`, `unsupported_media_type`
 */
export async function readJson(request: Request, options: JsonBody = {}): Promise<unknown> {
  return parseFaultless(await readText(request, options), options);
}

/**
 * Reads an optional JSON body: no bytes count as an empty object, with any headers.
 *
 * @throws {ApiError} `invalid_json`, `invalid_input`, `payload_too_large`, `unsupported_media_type`
 */
export async function readOptionalJson(request: Request, options: JsonBody = {}): Promise<unknown> {
  const bytes = await readBytes(request, options);
  if (bytes.byteLength === 0) return {};
  requireJson(request.headers.get("content-type"), options);
  return parseFaultless(runAtOnce(decode(bytes)), options);
}

/**
 * Reads a body as text; checks media type, charset (UTF-8 only), encoding and sizes.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`, `unsupported_media_type`
 */
export async function readText(request: Request, limits: BodyLimits = {}): Promise<string> {
  return await openText(await receiveJson(request, limits), limits);
}

/**
 * Receives a JSON body, checks its media type, and returns it as sent, for `openText`.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`, `unsupported_media_type`
 */
export async function receiveJson(request: Request, limits: BodyLimits = {}): Promise<WireBody> {
  requireJson(request.headers.get("content-type"), limits);
  return await receiveBody(request, limits);
}

/**
 * Returns the text of a received body.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`
 */
export async function openText(wire: WireBody, limits: BodyLimits = {}): Promise<string> {
  const bytes = await inflate(wire, limits);
  if (bytes.byteLength === 0) throw new ApiError("invalid_json", "Body is empty: send JSON");
  return limits.slices === undefined
    ? runAtOnce(decode(bytes))
    : await runInSlices(decode(bytes), limits.slices);
}

/**
 * Reads a body as decompressed bytes; never holds much more than the limits in memory.
 *
 * @throws {ApiError} `invalid_json`, `payload_too_large`, `unsupported_media_type`
 */
export async function readBytes(
  request: Request,
  limits: BodyLimits = {},
): Promise<Uint8Array<ArrayBuffer>> {
  return await inflate(await receiveBody(request, limits), limits);
}

async function receiveBody(request: Request, limits: BodyLimits): Promise<WireBody> {
  const { wireBytes = defaultWireBytes } = limits;
  const format = readEncoding(request.headers.get("content-encoding"));
  const announced = request.headers.get("content-length");
  if (Number(announced ?? 0) > wireBytes) throw tooLarge(wireBytes, "on the wire");
  const metered = format === undefined ? limits : unmetered(limits);
  if (Number(announced ?? Infinity) <= Math.min(smallBytes, wireBytes)) {
    return { bytes: await receiveSmall(request, metered), format };
  }
  if (request.body === null) return { bytes: new Uint8Array(), format: undefined };
  return { bytes: await receive(request.body, metered), format };
}

async function inflate(
  { bytes, format }: WireBody,
  { inflatedBytes = defaultInflatedBytes, meter, slices }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  if (format === undefined) return bytes;
  slices?.start();
  const inflated = pieces(bytes, slices).pipeThrough(new DecompressionStream(format));
  try {
    const limit = inflatedBytes;
    return await collect(inflated.getReader(), { limit, where: "after decompression", meter });
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw new ApiError("invalid_json", `Body is not valid ${format}`, { cause: error });
  } finally {
    slices?.stop();
  }
}

/**
 * Parses a JSON body and refuses it if `parseJson` finds a fault.
 *
 * @throws {ApiError} `invalid_json`, `invalid_input`, `payload_too_large`
 */
export function parseFaultless(text: string, options: JsonOptions): unknown {
  const { value, faults } = parseJson(text, options);
  if (faults.length > 0) throw invalidInput(describeFaults(faults));
  return value;
}

function unmetered({ meter: _, ...limits }: BodyLimits): BodyLimits {
  return limits;
}

function* decode(bytes: Uint8Array): Steps<string> {
  const texts: string[] = [];
  try {
    // A decoder keeps state between the parts of a text, so a long one has its own.
    if (bytes.byteLength <= decodedBytes) return wholeDecoder.decode(bytes);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    for (let from = 0; from < bytes.byteLength; from += decodedBytes) {
      if (from > 0) yield;
      const to = from + decodedBytes;
      const stream = to < bytes.byteLength;
      texts.push(decoder.decode(bytes.subarray(from, to), { stream }));
    }
  } catch {
    throw new ApiError("invalid_json", "Body is not valid UTF-8");
  }
  return texts.join("");
}

function requireJson(
  contentType: string | null,
  { mediaTypes = ["application/json"] }: BodyLimits,
): void {
  const [mediaType = "", ...parameters] = (contentType ?? "").toLowerCase().split(";");
  if (!mediaTypes.includes(mediaType.trim())) {
    const got = contentType === null ? "is missing" : `is "${contentType.slice(0, 100)}"`;
    const message = `Content-Type ${got}: send ${mediaTypes.join(" or ")}`;
    throw new ApiError("unsupported_media_type", message);
  }
  requireUtf8(parameters);
}

/**
 * Throws `unsupported_media_type` if the parameters of a media type name a charset other than
 * UTF-8.
 */
export function requireUtf8(parameters: readonly string[]): void {
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter.trim()));
  const name = charset?.split("=")[1]?.trim().replace(/^"(.*)"$/, "$1").toLowerCase() ?? "utf-8";
  if (!["utf-8", "utf8", "us-ascii"].includes(name)) {
    throw new ApiError("unsupported_media_type", `Charset "${name.slice(0, 100)}": send UTF-8`);
  }
}

function readEncoding(header: string | null): "gzip" | "deflate" | undefined {
  const encoding = (header ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return undefined;
  if (encoding === "gzip" || encoding === "x-gzip") return "gzip";
  if (encoding === "deflate") return "deflate";
  const message = `Content-Encoding "${encoding.slice(0, 100)}": send gzip, deflate or none`;
  throw new ApiError("unsupported_media_type", message, {
    headers: { "Accept-Encoding": "gzip, deflate" },
  });
}

function tooLarge(bytes: number, where: string): ApiError {
  return new ApiError("payload_too_large", `Body must not be over ${bytes} bytes ${where}`);
}

/** Reads a request body that announces few bytes: the server lets no more through. */
async function receiveSmall(
  request: Request,
  { receiveMs, meter }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  let size = 0;
  try {
    const buffer = await receiveInTime(receiveMs, () => ({
      received: request.arrayBuffer(),
      cancel: () => {},
    }));
    size = buffer.byteLength;
    return new Uint8Array(buffer);
  } finally {
    meter?.(size);
  }
}

function receive(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { wireBytes = defaultWireBytes, receiveMs, meter }: BodyLimits,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  return receiveInTime(receiveMs, () => ({
    received: collect(reader, { limit: wireBytes, where: "on the wire", meter }),
    cancel: (late) => void reader.cancel(late).catch(() => {}),
  }));
}

/**
 * Waits for a request body. A client that hangs up or stalls sent invalid JSON; the service has not
 * failed.
 */
function receiveInTime<Body>(
  receiveMs: number | undefined,
  start: () => { received: Promise<Body>; cancel: (late: ApiError) => void },
): Promise<Body> {
  const inTime = receiveMs === undefined ? inDefaultTime : createDeadlines(receiveMs);
  return new Promise((resolve, reject) => {
    const { received, cancel } = start();
    const stop = inTime(() => {
      const seconds = (receiveMs ?? defaultReceiveMs) / 1000;
      const late = new ApiError("invalid_json", `Body did not arrive within ${seconds} s`);
      reject(late);
      cancel(late);
    });
    received.then(resolve, (cause) => {
      if (cause instanceof ApiError) return reject(cause);
      const message = "Body ended early: the connection broke";
      reject(new ApiError("invalid_json", message, { cause }));
    }).finally(stop);
  });
}

/** Reads a stream to its end; cancels it and throws once it exceeds `limit` bytes. */
async function collect(
  reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>,
  { limit, where, meter }: { limit: number; where: string; meter: BodyLimits["meter"] },
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size > limit) {
        // The rest is never received or inflated.
        await reader.cancel();
        throw tooLarge(limit, where);
      }
      chunks.push(read.value);
    }
  } finally {
    meter?.(size);
  }
  return join(chunks, size);
}

function join(chunks: Uint8Array<ArrayBuffer>[], size: number): Uint8Array<ArrayBuffer> {
  if (chunks.length === 1 && chunks[0] !== undefined) return chunks[0];
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}

function pieces(
  bytes: Uint8Array<ArrayBuffer>,
  slices: Slices | undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let offset = 0;
  return new ReadableStream({
    async pull(controller) {
      if (slices?.isOver()) await slices.next();
      controller.enqueue(bytes.slice(offset, offset += pieceBytes));
      if (offset >= bytes.byteLength) controller.close();
    },
  });
}
