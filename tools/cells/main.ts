import { connectToCells, disconnectCells, readCellUrls } from "./cell_connections.ts";
import { uuidForm } from "../../supabase/functions/_shared/ids/uuid.ts";
import { moveWorkspace, undoMove } from "./move_workspace.ts";
import { showCells } from "./show_cells.ts";

const usage = `Shows the cells, or moves a workspace to another one.

Usage: deno task cells
       deno task cells:move <workspace id> <cell> [--undo]

  --undo    ends a move that has not switched yet, and leaves the workspace where it is

Needs SUPABASE_DB_URL and CELL_DATABASE_URLS: direct addresses, as the owner of the databases.
`;

Deno.exit(await main(Deno.args));

/** Runs the command; returns the exit code. */
async function main([command, workspaceId = "", to = "", flag]: string[]): Promise<number> {
  const isMove = command === "move" && uuidForm.test(workspaceId) && to !== "";
  if (command !== "show" && !isMove) {
    say(usage);
    return 2;
  }
  try {
    const cells = connectToCells(readCellUrls());
    try {
      if (command === "show") say(await showCells(cells));
      else if (flag === "--undo") await undoMove({ cells, workspaceId, to });
      else {
        const onStep = (step: string) => say(`${new Date().toISOString()} ${step}`);
        const { pausedMs } = await moveWorkspace({ cells, workspaceId, to, onStep });
        if (pausedMs !== undefined) say(`Changes were refused for ${pausedMs} ms`);
        say(`Workspace ${workspaceId} is in cell "${to}"`);
      }
      return 0;
    } finally {
      await disconnectCells(cells);
    }
  } catch (error) {
    Deno.stderr.writeSync(new TextEncoder().encode(`${(error as Error).message}\n`));
    return 1;
  }
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
