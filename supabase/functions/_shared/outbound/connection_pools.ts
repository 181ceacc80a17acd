import type { Socket } from "node:net";
import type { buildConnector as Connector, Pool as PoolType } from "undici";
import { BoundedMap } from "../cache/bounded_map.ts";
import { buildConnector, Pool } from "./undici.ts";

const keepAliveMs = 4_000;
const maxKeepAliveMs = 15_000;
const maxResponseHeaderBytes = 16 * 1024;

/** Receiver of a request: the host name of the URL, at an address that was checked. */
export interface Target {
  /** Owner of the connections; two destinations share none. */
  key: string;
  url: URL;
  address: string;
  /** Most concurrent connections; further requests wait for a free one. */
  maxConnections: number;
  connectTimeoutMs: number;
}

/** Live connections: one pool per destination, in limited number. */
export interface ConnectionPools {
  get(target: Target): PoolType;
  /** Returns the address of the destination's open pool. */
  addressOf(key: string, url: URL): string | undefined;
  /** Closes every connection immediately. */
  close(): Promise<void>;
}

interface Entry {
  target: Target;
  pool: PoolType;
}

/**
 * Keeps connections alive per destination, and closes the least recently used pools first. A pool
 * has a fixed address and size: if either changes for the destination, the pool is replaced.
 * Requests already running on a replaced pool finish.
 */
export function createConnectionPools(
  { maxPools, ca }: { maxPools: number; ca?: string | undefined },
): ConnectionPools {
  const entries = new BoundedMap<string, Entry>(maxPools, {
    onDrop: ({ pool }) => void pool.close(),
  });
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
      const isSame = known?.target.address === target.address &&
        known.target.maxConnections === target.maxConnections;
      const entry = known && isSame ? known : { target, pool: open(target) };
      entries.set(name, entry);
      if (known && !isSame) void known.pool.close();
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

/**
 * Connects to the checked address, regardless of what the name resolves to now; SNI and the
 * certificate check use the name. Uses its own timer, because undici's is accurate only to a
 * second.
 */
function pinConnector(
  connect: Connector.connector,
  { address, connectTimeoutMs }: Target,
): Connector.connector {
  return (options, callback) => {
    const isTls = options.protocol === "https:";
    // The host sets the name in SNI; over plain HTTP it would only be resolved again.
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
