import { ApiError } from "../../_shared/platform/errors.ts";
import { isApiKey } from "../../_shared/access/keys.ts";

const cacheSeconds = 3600;

/**
 * `GET /track/v1/projects/{key}/settings`: what the browser and mobile libraries of Segment ask for
 * before they send, which is where to. No key is looked up, so that nothing can be learned of it.
 */
export function answerSegmentSettings(key: string, supabaseUrl: string): Response {
  if (!isApiKey(key)) {
    throw new ApiError("not_found", "Settings do not exist: the address must hold a whole API key");
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
    // Without it the browser's library reports on itself to Segment's servers.
    metrics: { sampleRate: 0 },
    plan: {},
  };
  return Response.json(settings, {
    headers: { "Cache-Control": `public, max-age=${cacheSeconds}` },
  });
}
