import { createJourney } from "./create_journey.ts";
import { deleteJourney } from "./delete_journey.ts";
import { drainJourney } from "./drain_journey.ts";
import { enterJourney } from "./enter_journey.ts";
import { exportRuns } from "./export_runs.ts";
import { getJourney } from "./get_journey.ts";
import { getJourneyStats } from "./get_journey_stats.ts";
import { listJourneys } from "./list_journeys.ts";
import { listJourneyVersions } from "./list_journey_versions.ts";
import { listRuns } from "./list_runs.ts";
import { pauseJourney } from "./pause_journey.ts";
import { previewPublish } from "./preview_publish.ts";
import { publishJourney } from "./publish_journey.ts";
import { putJourney } from "./put_journey.ts";
import { rehearseJourney } from "./rehearse_journey.ts";
import { replayRuns } from "./replay_runs.ts";
import { resumeJourney } from "./resume_journey.ts";
import { simulateJourney } from "./simulate_journey.ts";
import { stopJourney } from "./stop_journey.ts";
import { updateJourney } from "./update_journey.ts";

/** Routes of this resource. */
export const journeyRoutes = [
  createJourney,
  deleteJourney,
  drainJourney,
  enterJourney,
  exportRuns,
  getJourney,
  getJourneyStats,
  listJourneys,
  listJourneyVersions,
  listRuns,
  pauseJourney,
  previewPublish,
  publishJourney,
  putJourney,
  rehearseJourney,
  replayRuns,
  resumeJourney,
  simulateJourney,
  stopJourney,
  updateJourney,
] as const;
