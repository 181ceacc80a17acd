/**
 * Imports the two parts of undici in use by file: the package's index builds the Fetch API when
 * loaded and needs `worker_threads.markAsUncloneable`, which Deno 2.7 and the hosted runtime do not
 * have (nodejs/undici #5301).
 */
import type * as Undici from "undici";
import connectorFile from "undici/lib/core/connect.js";
import poolFile from "undici/lib/dispatcher/pool.js";

/** Creates connections, plain and TLS. */
export const buildConnector: typeof Undici.buildConnector = connectorFile;

/** Connections to one origin, with keep-alive. */
export const Pool: typeof Undici.Pool = poolFile;
