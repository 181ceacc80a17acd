import type { IngestResult } from "../entries/ingest.ts";

/** The entries of one request, and the callbacks for their results. */
export interface WaitingRequest {
  workspaceId: string;
  /** JSON texts. */
  entries: readonly string[];
  characters: number;
  /** Monotonic time of its arrival, in ms. */
  arrivedAt: number;
  resolve: (results: IngestResult[]) => void;
  reject: (error: unknown) => void;
}

/** Limits of one batch, unless a single request has more. */
export interface BatchBounds {
  maxEntries: number;
  maxCharacters: number;
}

/** Waiting requests: in order per workspace, and workspaces take turns. */
export class FairQueue {
  // A Map keeps insertion order: after its turn, a workspace moves to the end.
  readonly #requests = new Map<string, WaitingRequest[]>();
  readonly #entries = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#requests.size === 0;
  }

  workspaceIds(): Iterable<string> {
    return this.#requests.keys();
  }

  /** Counts the waiting entries of the workspaces that `mayGo` accepts. */
  countEntries(mayGo: (workspaceId: string) => boolean): number {
    let count = 0;
    for (const [workspaceId, entries] of this.#entries) {
      if (mayGo(workspaceId)) count += entries;
    }
    return count;
  }

  #count({ workspaceId, entries }: WaitingRequest, sign: 1 | -1): void {
    const count = (this.#entries.get(workspaceId) ?? 0) + sign * entries.length;
    if (count > 0) this.#entries.set(workspaceId, count);
    else this.#entries.delete(workspaceId);
  }

  add(request: WaitingRequest): void {
    this.#count(request, 1);
    const requests = this.#requests.get(request.workspaceId);
    if (requests === undefined) this.#requests.set(request.workspaceId, [request]);
    else requests.push(request);
  }

  /** Puts requests back in front of their workspaces' later requests. */
  putBack(batch: readonly WaitingRequest[]): void {
    for (const request of batch.toReversed()) {
      this.#count(request, 1);
      const requests = this.#requests.get(request.workspaceId);
      if (requests === undefined) this.#requests.set(request.workspaceId, [request]);
      else requests.unshift(request);
    }
  }

  /** Takes the next batch: one request per workspace in turn, until the batch is full. */
  take(bounds: BatchBounds, mayGo: (workspaceId: string) => boolean): WaitingRequest[] {
    const batch: WaitingRequest[] = [];
    let entries = 0;
    let characters = 0;
    // A workspace moved to the end of the Map is visited again by this loop.
    for (const [workspaceId, requests] of this.#requests) {
      if (!mayGo(workspaceId)) continue;
      const request = requests[0]!;
      entries += request.entries.length;
      characters += request.characters;
      const isFull = entries > bounds.maxEntries || characters > bounds.maxCharacters;
      if (batch.length > 0 && isFull) break;
      batch.push(request);
      requests.shift();
      this.#count(request, -1);
      this.#requests.delete(workspaceId);
      if (requests.length > 0) this.#requests.set(workspaceId, requests);
    }
    return batch;
  }
}
