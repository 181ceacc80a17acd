import { moveSteps } from "../tools/cells/move_workspace.ts";
import { survivesMoves, type TriedMove } from "../testing/service/survives_moves.ts";

const count = 10;
const perSecond = 500;
const longestGapMs = 2_000;

/**
 * Moves a workspace ten times between two cells under 500 entries per second; in every other move,
 * one of the servers is killed before a random step. Fails if anything is lost, or if a move without
 * a kill leaves entries unanswered for over 2 s.
 */
export async function run(): Promise<void> {
  await survivesMoves({
    moves: Array.from({ length: count }, (_, i) => i % 2 === 0 ? {} : chooseKill()),
    perSecond,
    entriesBetween: 1_000,
    longestGapMs,
    say: (line) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`)),
  });
}

function chooseKill(): TriedMove {
  const before = moveSteps[1 + Math.floor(Math.random() * (moveSteps.length - 1))]!;
  return { before, killed: Math.random() < 0.5 ? "source" : "target" };
}
