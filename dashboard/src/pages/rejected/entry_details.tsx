import { Alert, Anchor, List, Stack, Text } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { type Ref, useState } from "react";
import type { RejectedEntry } from "../../api/types.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { CodeView } from "../../ui/code_view.tsx";
import { type Field, FieldList } from "../../ui/field_list.tsx";
import { IdText } from "../../ui/id_text.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ExactTime } from "../../ui/time_ago.tsx";
import { originLabels } from "./labels.ts";
import { listReasons, placeInEntry, positionInBulk } from "./list_reasons.ts";
import { ResendForm } from "./resend_form.tsx";
import { Resent, type ResentResults } from "./resent.tsx";
import { textOf } from "./text_of.ts";

interface EntryDetailsProps {
  entry: RejectedEntry;
  /** Closes the drawer around the entry. */
  close: () => void;
  /** Gets the function that closes the drawer, and asks first if something was typed. */
  askToClose: Ref<() => void>;
}

/** The outcome of a resent entry, or else the problems of an entry and the form that resends it. */
export function EntryDetails({ entry, close, askToClose }: EntryDetailsProps) {
  const [results, setResults] = useState<ResentResults>();
  if (results !== undefined || entry.resent_at !== null) {
    return (
      <Stack>
        <Resent entry={entry} results={results} />
        <Problems entry={entry} isPast />
        <Facts entry={entry} />
        <div>
          <Text size="sm" c="dimmed" mb="xs">The entry before it was resent</Text>
          <CodeView code={textOf(entry)} language="json" label="Rejected entry" />
        </div>
      </Stack>
    );
  }
  return (
    <Stack>
      <Problems entry={entry} />
      <Facts entry={entry} />
      <ResendForm entry={entry} close={close} askToClose={askToClose} onResent={setResults} />
    </Stack>
  );
}

interface ProblemsProps {
  entry: RejectedEntry;
  /** The entry was resent, so they are of no concern any more. */
  isPast?: boolean;
}

/** Everything that is wrong with an entry. */
function Problems({ entry, isPast = false }: ProblemsProps) {
  const reasons = listReasons(entry.error);
  const place = placeInEntry(entry.field ?? "");
  const isListed = reasons.length > 1 || isPast;
  const title = reasons.length === 1 ? reasons[0] : `${reasons.length} problems`;
  return (
    <Alert
      {...isPast
        ? { color: "gray", title: "Why it was rejected" }
        : { color: "orange", icon: <AlertIcon />, title }}
    >
      {isListed && (
        <List size="sm" mb="xs" aria-label="Problems">
          {reasons.map((reason) => (
            <List.Item key={reason} className="break-anywhere">{reason}</List.Item>
          ))}
        </List>
      )}
      {place !== "" && !reasons[0]!.startsWith("Field ") && <Text size="sm">Field: {place}</Text>}
    </Alert>
  );
}

/** When and how an entry arrived. */
function Facts({ entry }: { entry: RejectedEntry }) {
  const { id } = useWorkspace();
  const { origin, source_id: sourceId, rejected_at: time, request_id: requestId } = entry;
  const position = positionInBulk(entry.field ?? "");
  return (
    <FieldList
      fields={[
        ["Received", <ExactTime key="received" time={time} />],
        [
          "Through",
          sourceId === null
            ? originLabels[origin]
            : (
              <Anchor key="source" size="sm" {...linkTo(`/w/${id}/sources/${sourceId}`)}>
                {originLabels[origin]}
              </Anchor>
            ),
        ],
        ...position === undefined ? [] : [["Position in its bulk", position] satisfies Field],
        ["Request ID", <IdText key="request" value={requestId} label="request ID" />],
      ]}
    />
  );
}
