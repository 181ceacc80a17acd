import { createDestination } from "./create_destination.ts";
import { deleteDestination } from "./delete_destination.ts";
import { discardMissed } from "./discard_missed.ts";
import { getDestination } from "./get_destination.ts";
import { getDestinationStats } from "./get_destination_stats.ts";
import { listDestinations } from "./list_destinations.ts";
import { previewReplay } from "./preview_replay.ts";
import { recoverMissed } from "./recover_missed.ts";
import { replayFailed } from "./replay_failed.ts";
import { rotateSecret } from "./rotate_secret.ts";
import { testDestination } from "./test_destination.ts";
import { updateDestination } from "./update_destination.ts";

/** Routes of this resource. */
export const destinationRoutes = [
  createDestination,
  deleteDestination,
  discardMissed,
  getDestination,
  getDestinationStats,
  listDestinations,
  previewReplay,
  recoverMissed,
  replayFailed,
  rotateSecret,
  testDestination,
  updateDestination,
] as const;
