import { invalidInput } from "../../_shared/errors/errors.ts";
import { resourceKey } from "../contract/resource_names.ts";

/**
 * Returns the key in the path of a PUT that is not an id. The body may repeat it.
 *
 * @throws {ApiError} `invalid_input` if it cannot be a key, or if the body has another one.
 */
export function readPathKey(name: string, { key }: { key?: string | null | undefined }): string {
  const checked = resourceKey.safeParse(name);
  if (!checked.success) {
    const message = checked.error.issues[0]?.message ?? "must be a key";
    throw invalidInput([{ field: "id", message }]);
  }
  if (key !== undefined && key !== name) {
    throw invalidInput([{ field: "key", message: "must be the key of the path" }]);
  }
  return checked.data;
}
