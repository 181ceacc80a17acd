import { createSuppression } from "./create_suppression.ts";
import { deleteSuppression } from "./delete_suppression.ts";
import { exportSuppressions } from "./export_suppressions.ts";
import { importSuppressions } from "./import_suppressions.ts";
import { listSuppressions } from "./list_suppressions.ts";

/** Routes of this resource. */
export const suppressionRoutes = [
  createSuppression,
  deleteSuppression,
  exportSuppressions,
  importSuppressions,
  listSuppressions,
] as const;
