import { existsSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { clusterDir, type DataDir } from "./data_dir.ts";
import { isOwnCluster, stopOrphan } from "./postgres/postgres_orphan.ts";
import { isOwnState, stateFile } from "./state.ts";

/**
 * Deletes what earlier starts wrote, stopping a server that a killed one left behind.
 *
 * @throws Error where it was not a start that wrote it: a directory is easily mistaken.
 */
export async function clearDataDir(dir: DataDir): Promise<void> {
  const cluster = join(clusterDir(dir), "cluster");
  // The state last: it is what tells whose the rest is.
  const written = [clusterDir(dir), join(dir.path, "local.json"), join(dir.path, stateFile)];
  if (!written.some((path) => existsSync(path))) return;
  if (!isOwnState(dir) && !isOwnCluster(cluster)) {
    throw new Error(
      `Cannot delete the data in "${dir.path}": it is not of this service, choose another ` +
        "directory with --data-dir",
    );
  }
  if (existsSync(cluster)) {
    // It may be a link that leads out of the directory.
    const data = realpathSync(cluster);
    await stopOrphan(data);
    rmSync(data, { recursive: true });
  }
  for (const path of written) rmSync(path, { recursive: true, force: true });
}
