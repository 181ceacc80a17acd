import { createApiKey } from "./create_api_key.ts";
import { listApiKeys } from "./list_api_keys.ts";
import { revokeApiKey } from "./revoke_api_key.ts";

/** Routes of this resource. */
export const apiKeyRoutes = [
  createApiKey,
  listApiKeys,
  revokeApiKey,
] as const;
