import { addSegmentCustomers } from "./add_segment_customers.ts";
import { createSegment } from "./create_segment.ts";
import { deleteSegment } from "./delete_segment.ts";
import { explainSegment } from "./explain_segment.ts";
import { exportSegment } from "./export_segment.ts";
import { exportSegmentChanges } from "./export_segment_changes.ts";
import { getSegment } from "./get_segment.ts";
import { getSegmentHistory } from "./get_segment_history.ts";
import { listSegmentChanges } from "./list_segment_changes.ts";
import { listSegmentCustomers } from "./list_segment_customers.ts";
import { listSegments } from "./list_segments.ts";
import { previewSegment } from "./preview_segment.ts";
import { putSegment } from "./put_segment.ts";
import { removeSegmentCustomers } from "./remove_segment_customers.ts";
import { updateSegment } from "./update_segment.ts";

/** Routes of this resource. */
export const segmentRoutes = [
  addSegmentCustomers,
  createSegment,
  deleteSegment,
  explainSegment,
  exportSegment,
  exportSegmentChanges,
  getSegment,
  getSegmentHistory,
  listSegmentChanges,
  listSegmentCustomers,
  listSegments,
  previewSegment,
  putSegment,
  removeSegmentCustomers,
  updateSegment,
] as const;
