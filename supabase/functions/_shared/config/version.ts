/** The version of the service: in `GET /api/health`, the header `X-Service-Version` and OpenAPI. */
export const version = "0.1.0";
