/** The version of the service: in the header `X-Service-Version` and the OpenAPI document. */
export const version = "0.1.0";
