import type { CallerSql } from "../../kernel/caller.ts";

export interface ServiceEventType {
  type: string;
  /** When the service sends it. */
  description: string;
}

/** Lists the types of messages that the service itself sends, in the order of their names. */
export async function listServiceEventTypes(tx: CallerSql): Promise<ServiceEventType[]> {
  return await tx<ServiceEventType[]>`
    select t.type, t.description from private.service_event_types as t order by t.type`;
}
