import { createSource } from "./create_source.ts";
import { deleteSource } from "./delete_source.ts";
import { exportReceipts } from "./export_receipts.ts";
import { getReceipt } from "./get_receipt.ts";
import { getSource } from "./get_source.ts";
import { listReceipts } from "./list_receipts.ts";
import { listSources } from "./list_sources.ts";
import { rotateSourceSecret } from "./rotate_source_secret.ts";
import { testMapping } from "./test_mapping.ts";
import { updateSource } from "./update_source.ts";

/** Routes of this resource. */
export const sourceRoutes = [
  createSource,
  deleteSource,
  getSource,
  listSources,
  rotateSourceSecret,
  testMapping,
  updateSource,
  exportReceipts,
  getReceipt,
  listReceipts,
] as const;
