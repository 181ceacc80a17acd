import type { Dispatcher } from "undici";
import type { ReceivedHeaders } from "./response_headers.ts";
import { classifySendError, type SendError } from "./send_errors.ts";

const minFinalStatus = 200;
const maxStatus = 599;

/** One request as sent on the wire. */
export interface ExchangeRequest {
  method: "POST" | "GET";
  path: string;
  headers: Record<string, string>;
  body: Uint8Array;
  maxResponseBytes: number;
  /** Aborted with a SendError as its reason. */
  signal: AbortSignal;
}

/** Response of the receiver, complete or not. */
export interface ExchangeResponse {
  statusCode: number | null;
  headers: ReceivedHeaders;
  retryAfter: string | null;
  encoding: string | null;
  /** The first bytes of the body as sent, still compressed if the receiver compressed it. */
  body: Uint8Array;
  error: SendError | null;
  /** True if a connection was open, so that the receiver may have seen the request. */
  isSent: boolean;
}

/**
 * Sends one request and reads its response up to the byte limit. After that, or when the signal
 * aborts, the connection is destroyed rather than drained. Never rejects.
 */
export function exchange(
  pool: Pick<Dispatcher, "dispatch">,
  request: ExchangeRequest,
): Promise<ExchangeResponse> {
  return new Promise((resolve) => {
    const reader = new ResponseReader(request, resolve);
    if (request.signal.aborted) return reader.abort();
    request.signal.addEventListener("abort", reader.abort);
    try {
      pool.dispatch({
        path: request.path,
        method: request.method,
        headers: request.headers,
        body: request.method === "GET" ? null : request.body,
        // The caller's deadline covers both.
        headersTimeout: 0,
        bodyTimeout: 0,
      }, reader);
    } catch (error) {
      reader.settle(classifySendError(error));
    }
  });
}

/** Collects a response from undici's callbacks; the first event that ends it counts. */
class ResponseReader implements Dispatcher.DispatchHandler {
  #response: ExchangeResponse = {
    statusCode: null,
    headers: {},
    retryAfter: null,
    encoding: null,
    body: new Uint8Array(),
    error: null,
    isSent: false,
  };
  #chunks: Uint8Array[] = [];
  #size = 0;
  #isSettled = false;
  #controller: Dispatcher.DispatchController | null = null;
  #request: ExchangeRequest;
  #resolve: (response: ExchangeResponse) => void;

  constructor(request: ExchangeRequest, resolve: (response: ExchangeResponse) => void) {
    this.#request = request;
    this.#resolve = resolve;
  }

  abort = (): void => {
    this.settle(this.#request.signal.reason as SendError);
    this.#closeConnection();
  };

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The deadline passed while connecting: nothing may be sent now.
    if (this.#isSettled) return this.#closeConnection();
    this.#response.isSent = true;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: ReceivedHeaders,
  ): void {
    if (statusCode < minFinalStatus) return;
    if (statusCode > maxStatus) {
      this.settle("protocol");
      return this.#closeConnection();
    }
    this.#response.statusCode = statusCode;
    this.#response.headers = headers;
    this.#response.retryAfter = readFirst(headers["retry-after"]);
    this.#response.encoding = readFirst(headers["content-encoding"]);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#isSettled) return;
    const kept = chunk.subarray(0, this.#request.maxResponseBytes - this.#size);
    this.#chunks.push(kept.slice());
    this.#size += kept.length;
    if (this.#size < this.#request.maxResponseBytes) return;
    this.settle(null);
    this.#closeConnection();
  }

  onResponseEnd(): void {
    this.settle(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.settle(classifySendError(error, this.#response.statusCode !== null));
  }

  settle(error: SendError | null): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#request.signal.removeEventListener("abort", this.abort);
    this.#resolve({ ...this.#response, body: joinChunks(this.#chunks, this.#size), error });
  }

  #closeConnection(): void {
    this.#controller?.abort(new Error("Cannot continue reading: the response has ended"));
  }
}

function readFirst(value: string | string[] | undefined): string | null {
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

function joinChunks(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    joined.set(chunk, offset);
    offset += chunk.length;
  }
  return joined;
}
