/** Limits of requests to destinations. The API, the guides and the dashboard state the same ones. */
export const outboundLimits = {
  /** From the DNS lookup to the last byte of the response. */
  deadlineMs: 15_000,
  /** The part of the deadline that each connection may take. */
  connectTimeoutMs: 5_000,
  maxResponseBytes: 64 * 1024,
  /** Logged bytes of a response. */
  snippetBytes: 2 * 1024,
  /** Logged headers of a response, and the bytes of their names and values. */
  maxHeaders: 50,
  headerBytes: 2 * 1024,
  /** Concurrent requests to a destination that sets no limit of its own. */
  defaultConcurrency: 10,
  maxConcurrency: 100,
  maxRatePerSecond: 10_000,
} as const;
