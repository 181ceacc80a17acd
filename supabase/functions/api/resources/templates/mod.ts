import { createTemplate } from "./create_template.ts";
import { deleteTemplate } from "./delete_template.ts";
import { getTemplate } from "./get_template.ts";
import { listTemplateVersions } from "./list_template_versions.ts";
import { listTemplates } from "./list_templates.ts";
import { previewTemplate } from "./preview_template.ts";
import { putTemplate } from "./put_template.ts";
import { updateTemplate } from "./update_template.ts";

/** Routes of this resource. */
export const templateRoutes = [
  createTemplate,
  deleteTemplate,
  getTemplate,
  listTemplates,
  listTemplateVersions,
  previewTemplate,
  putTemplate,
  updateTemplate,
] as const;
