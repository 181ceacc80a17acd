import { bundleFunction, listFunctions } from "../../tools/bundle_functions.ts";
import type { Upload } from "./management_api.ts";

/** Every function as it is deployed, without deploying it. */
export async function bundleUploads(): Promise<Map<string, Upload>> {
  const uploads = new Map<string, Upload>();
  for (const name of listFunctions()) {
    const { code } = await bundleFunction(name);
    uploads.set(name, {
      metadata: { name, verify_jwt: false, entrypoint_path: "index.js", import_map_path: "" },
      files: new Map([["index.js", new TextEncoder().encode(code)]]),
    });
  }
  return uploads;
}
