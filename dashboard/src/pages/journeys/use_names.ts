import { useMemo } from "react";
import { useReadList } from "../../api/use_api.ts";
import {
  makeNameOf,
  type Named,
  type NamedKind,
  type NamedLists,
  type NameOf,
} from "./model/name_of.ts";

/** Names of everything that a definition can refer to. */
export function useNames(): { lists: NamedLists; nameOf: NameOf; isRead: boolean } {
  const template = useReadList("GET /templates", {});
  const sender = useReadList("GET /senders", {});
  const topic = useReadList("GET /topics", {});
  const segment = useReadList("GET /segments", {});
  const destination = useReadList("GET /destinations", {});
  const journey = useReadList("GET /journeys", {});
  const all = { template, sender, topic, segment, destination, journey };
  const isRead = Object.values(all).every((list) => list.isRead);
  const rows = Object.values(all).map((list) => list.rows);
  return useMemo(() => {
    const lists = mapRows(all);
    return { lists, nameOf: makeNameOf(lists), isRead };
  }, [...rows, isRead]);
}

function mapRows(all: Readonly<Record<NamedKind, { rows: readonly Named[] }>>): NamedLists {
  const { template, sender, topic, segment, destination, journey } = all;
  return {
    template: template.rows,
    sender: sender.rows,
    topic: topic.rows,
    segment: segment.rows,
    destination: destination.rows,
    journey: journey.rows,
  };
}
