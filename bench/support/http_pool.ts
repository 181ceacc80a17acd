import { HttpConnection, type HttpResponse, type HttpTarget } from "./http_connection.ts";

/** Connections that share requests: a request waits until one is free. */
export class HttpPool implements Disposable {
  readonly #connections: HttpConnection[];
  readonly #free: HttpConnection[];
  readonly #waiting: ((connection: HttpConnection) => void)[] = [];

  constructor(target: HttpTarget, connections: number) {
    this.#connections = Array.from({ length: connections }, () => new HttpConnection(target));
    this.#free = [...this.#connections];
  }

  /** Posts a JSON body; returns what `read` makes of the response. */
  async post<Read>(body: string, read: (response: HttpResponse) => Read): Promise<Read> {
    const connection = this.#free.pop() ??
      await new Promise<HttpConnection>((resolve) => this.#waiting.push(resolve));
    try {
      return read(await connection.send(body));
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free.push(connection);
      else next(connection);
    }
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection[Symbol.dispose]();
  }
}
