import { BoundedMap } from "../_shared/cache/bounded_map.ts";
import type { Sql } from "../_shared/db/connect.ts";
import { notice } from "../_shared/templates/notice.ts";
import type { TemplateContents } from "../_shared/templates/render_template.ts";
import { groupCalls } from "./group_calls.ts";
import { type ClaimedSend, nameTemplate, readTemplates, type TemplateRef } from "./send_queue.ts";

/** Number of contents that are kept: a version has up to 768 KiB, usually 30 KiB. */
const maxKnown = 100;

/** Creates the function that finds the contents of a message. Versions never change. */
export function createFindTemplate(
  sql: Sql,
): (send: ClaimedSend) => Promise<TemplateContents | undefined> {
  const known = new BoundedMap<string, TemplateContents>(maxKnown);
  const read = groupCalls((refs: readonly TemplateRef[]) => readTemplates(sql, refs));
  return async ({ workspace_id, template_id, template_version }) => {
    if (template_id === null || template_version === null) return notice;
    const ref = { workspace_id, template_id, version: template_version };
    const name = nameTemplate(ref);
    const contents = known.get(name) ?? await read(ref);
    if (contents !== undefined) known.set(name, contents);
    return contents;
  };
}
