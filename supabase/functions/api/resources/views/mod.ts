import { createView } from "./create_view.ts";
import { deleteView } from "./delete_view.ts";
import { listViews } from "./list_views.ts";
import { updateView } from "./update_view.ts";

/** Routes of this resource. */
export const viewRoutes = [
  createView,
  deleteView,
  listViews,
  updateView,
] as const;
