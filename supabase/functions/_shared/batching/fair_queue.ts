import type { IngestResult } from "../entries/ingest.ts";

/** The entries of one request, and whom to tell what became of them. */
export interface WaitingRequest {
  workspaceId: string;
  /** JSON texts. */
  entries: readonly string[];
  characters: number;
  resolve: (results: IngestResult[]) => void;
  reject: (error: unknown) => void;
}

/** Most that is taken at once, unless one request has more. */
export interface BatchBounds {
  maxEntries: number;
  maxCharacters: number;
}

/** Requests that wait: those of one workspace in their order, and the workspaces in turns. */
export class FairQueue {
  // A map keeps its keys in the order they came: whose turn it was goes to the end.
  readonly #requests = new Map<string, WaitingRequest[]>();
  readonly #entries = new Map<string, number>();

  get isEmpty(): boolean {
    return this.#requests.size === 0;
  }

  workspaceIds(): Iterable<string> {
    return this.#requests.keys();
  }

  /** Entries that wait of the workspaces that `mayGo` names. */
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

  /** Puts requests back in front of those of their workspaces that came later. */
  putBack(batch: readonly WaitingRequest[]): void {
    for (const request of batch.toReversed()) {
      this.#count(request, 1);
      const requests = this.#requests.get(request.workspaceId);
      if (requests === undefined) this.#requests.set(request.workspaceId, [request]);
      else requests.unshift(request);
    }
  }

  /** The next batch: one request of each workspace in turn, until it is full. */
  take(bounds: BatchBounds, mayGo: (workspaceId: string) => boolean): WaitingRequest[] {
    const batch: WaitingRequest[] = [];
    let entries = 0;
    let characters = 0;
    // Who is put to the end of the map is met once more.
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
