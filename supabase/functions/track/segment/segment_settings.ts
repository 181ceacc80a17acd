import { ApiError } from "../../_shared/errors/errors.ts";
import { isApiKey } from "../../_shared/access/keys.ts";

const cacheSeconds = 3600;

/**
 * Handles `GET /track/v1/projects/{key}/settings`, which tells Segment's browser and mobile
 * libraries where to send. The key is not looked up, so that the response reveals nothing about it.
 */
export function respondWithSegmentSettings(key: string, supabaseUrl: string): Response {
  if (!isApiKey(key)) {
    throw new ApiError(
      "not_found",
      "Settings do not exist: the URL must contain a complete API key",
    );
  }
  const { protocol, host } = new URL(supabaseUrl);
  const settings = {
    integrations: {
      "Segment.io": {
        apiKey: key,
        apiHost: `${host}/functions/v1/track/v1`,
        protocol: protocol.slice(0, -1),
      },
    },
    // Otherwise the browser library sends metrics to Segment's servers.
    metrics: { sampleRate: 0 },
    plan: {},
  };
  return Response.json(settings, {
    headers: { "Cache-Control": `public, max-age=${cacheSeconds}` },
  });
}
