import type { ApiResponse } from "../../../api/api_client.ts";

type Job = Pick<ApiResponse<"GET /jobs/{id}">, "done" | "total" | "created_at">;

/** The first customers are too few to foretell the others. */
const leastMs = 5_000;

/** Says how long the rest of a rehearsal takes at its pace so far; null while that is unknown. */
export function describeRest({ done, total, created_at }: Job, now: number): string | null {
  const passed = now - Date.parse(created_at);
  if (done === 0 || done >= total || passed < leastMs) return null;
  const seconds = (total - done) * passed / done / 1000;
  if (seconds < 60) return "less than a minute left";
  if (seconds < 5_400) return `about ${Math.round(seconds / 60)} min left`;
  return `about ${Math.round(seconds / 3_600)} h left`;
}
