import { invalidInput } from "../_shared/errors/errors.ts";
import { readBytes } from "../_shared/http/body.ts";

const maxFormBytes = 64 * 1024;
const maxFields = 1000;

/**
 * Reads a form, urlencoded or multipart.
 *
 * @throws {ApiError} `invalid_input`, `payload_too_large`
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const bytes = await readBytes(request, {
    wireBytes: maxFormBytes,
    inflatedBytes: maxFormBytes,
  });
  const contentType = request.headers.get("content-type") ?? "";
  const fields = /^multipart\/form-data\b/i.test(contentType)
    ? await readMultipart(bytes, contentType)
    : new URLSearchParams(new TextDecoder().decode(bytes));
  if (fields.size <= maxFields) return fields;
  throw invalidInput([{ field: "", message: `must not have over ${maxFields} fields` }]);
}

async function readMultipart(
  bytes: Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<URLSearchParams> {
  try {
    const form = await new Response(bytes, { headers: { "content-type": contentType } }).formData();
    const texts = [...form].filter((field): field is [string, string] => {
      return typeof field[1] === "string";
    });
    return new URLSearchParams(texts);
  } catch {
    throw invalidInput([{ field: "", message: "must be a form" }]);
  }
}
