import type { Socket } from "node:net";
import type { buildConnector as Connector, Pool as PoolType } from "undici";
import { buildConnector, Pool } from "./undici.ts";

const keepAliveMs = 4_000;
const maxKeepAliveMs = 15_000;
const maxResponseHeaderBytes = 16 * 1024;

/** Receiver of a request: the host name of the URL, at an address that was checked. */
export interface Target {
  /** Whose connections to use; two destinations share none. */
  key: string;
  url: URL;
  address: string;
  /** Further requests wait for one of these to be free. */
  maxConnections: number;
  connectTimeoutMs: number;
}

/** Live connections, one pool a destination, bounded in number. */
export interface ConnectionPools {
  get(target: Target): PoolType;
  /** The address that the destination's open pool goes to. */
  addressOf(key: string, url: URL): string | undefined;
  /** Closes every connection at once. */
  close(): Promise<void>;
}

interface Entry {
  target: Target;
  pool: PoolType;
}

/**
 * Keeps connections alive per destination, the least recently used pools being closed first.
 * A pool is bound to one address and size; when either changes for the destination, it is replaced.
 * Requests under way on a replaced pool are finished.
 */
export function createConnectionPools(
  { maxPools, ca }: { maxPools: number; ca?: string | undefined },
): ConnectionPools {
  const entries = new Map<string, Entry>();
  const connect = buildConnector({ timeout: 0, allowH2: false, ...(ca ? { ca } : {}) });

  function open(target: Target): PoolType {
    return new Pool(target.url.origin, {
      connections: target.maxConnections,
      pipelining: 1,
      allowH2: false,
      connect: pinConnector(connect, target),
      keepAliveTimeout: keepAliveMs,
      keepAliveMaxTimeout: maxKeepAliveMs,
      maxHeaderSize: maxResponseHeaderBytes,
    });
  }

  return {
    get(target) {
      const name = nameEntry(target.key, target.url);
      const known = entries.get(name);
      entries.delete(name);
      const isSame = known?.target.address === target.address &&
        known.target.maxConnections === target.maxConnections;
      const entry = known && isSame ? known : { target, pool: open(target) };
      entries.set(name, entry);
      if (known && !isSame) void known.pool.close();
      if (entries.size > maxPools) closeOldest(entries);
      return entry.pool;
    },
    addressOf: (key, url) => entries.get(nameEntry(key, url))?.target.address,
    async close() {
      const open = [...entries.values()];
      entries.clear();
      await Promise.all(open.map((entry) => entry.pool.destroy()));
    },
  };
}

function nameEntry(key: string, url: URL): string {
  return `${key} ${url.origin}`;
}

function closeOldest(entries: Map<string, Entry>): void {
  const oldest = entries.entries().next().value;
  if (oldest === undefined) return;
  entries.delete(oldest[0]);
  void oldest[1].pool.close();
}

/**
 * Connects to the checked address whatever the name resolves to by now, while SNI and the
 * certificate check keep the name. The timer is our own: undici's is only good to a second.
 */
function pinConnector(
  connect: Connector.connector,
  { address, connectTimeoutMs }: Target,
): Connector.connector {
  return (options, callback) => {
    const isTls = options.protocol === "https:";
    // The host decides the name in SNI; over plain HTTP it would only be looked up again.
    const pinned = { ...options, hostname: address, host: isTls ? options.hostname : address };
    const socket = connect(pinned, (...result) => {
      clearTimeout(timer);
      callback(...result);
    }) as unknown as Socket;
    const timer = setTimeout(() => socket.destroy(createTimeoutError()), connectTimeoutMs);
  };
}

function createTimeoutError(): Error {
  return Object.assign(new Error("Cannot connect: no connection in time"), { code: "ETIMEDOUT" });
}
