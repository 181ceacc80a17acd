import type { CallerSql } from "../../kernel/caller.ts";
import type { Condition } from "../../contract/conditions/types.ts";
import type { Customer } from "../customers/customer_queries.ts";
import type { Count } from "../../kernel/page_queries.ts";
import type { SegmentKey } from "./segment_queries.ts";

/** Customers that meet a condition now. */
export interface Preview extends Count {
  examples: Customer[];
}

/** Counts the customers that meet a condition, with up to ten examples. */
export async function previewCondition(
  tx: CallerSql,
  { workspaceId, condition }: { workspaceId: string; condition: Condition },
): Promise<Preview> {
  const rows = await tx<{ preview: Count & { examples: string[] } }[]>`
    select private.preview_condition(
      ${workspaceId}, ${JSON.stringify(condition)}::text::jsonb
    ) as preview
  `;
  const { examples: ids, ...count } = rows[0]!.preview;
  const examples = await tx<{ document: Customer }[]>`
    select d.document
    from private.segment_documents(
      ${workspaceId}, array(
        select e.id::uuid
        from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) as e (id)
      )
    ) as d
    order by d.customer_id desc
  `;
  return { ...count, examples: examples.map(({ document }) => document) };
}

/** Membership of one customer, and the answer of each part of the condition. */
export interface Explanation {
  member: boolean;
  since: string | null;
  at: string;
  changes_at: string | null;
  tree: Record<string, unknown> | null;
}

/** Explains a membership; undefined without the customer. */
export async function explainSegment(
  tx: CallerSql,
  { workspaceId, segmentId, customerId }: SegmentKey & { customerId: string },
): Promise<Explanation | undefined> {
  const rows = await tx<{ explanation: Explanation | null }[]>`
    select private.explain_segment(${workspaceId}, ${segmentId}, ${customerId}) as explanation
  `;
  return rows[0]?.explanation ?? undefined;
}
