import { useMemo } from "react";
import { useWholeList } from "../../api/use_api.ts";
import { makeNameOf, type NamedLists, type NameOf } from "./model/name_of.ts";

/** Names of everything that a definition can refer to. */
export function useNames(): { lists: NamedLists; nameOf: NameOf } {
  const template = useWholeList("GET /templates", {});
  const sender = useWholeList("GET /senders", {});
  const topic = useWholeList("GET /topics", {});
  const segment = useWholeList("GET /segments", {});
  const destination = useWholeList("GET /destinations", {});
  const journey = useWholeList("GET /journeys", {});
  return useMemo(() => {
    const lists = { template, sender, topic, segment, destination, journey };
    return { lists, nameOf: makeNameOf(lists) };
  }, [template, sender, topic, segment, destination, journey]);
}
