import { Anchor } from "@mantine/core";
import { PaperAirplaneIcon } from "@primer/octicons-react";
import { useMemo } from "react";
import { useApiList, useReadList } from "../../api/use_api.ts";
import { useWorkspace } from "../../api/workspace.ts";
import { ColumnsMenu, useColumns } from "../../ui/columns_menu.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { ListTable } from "../../ui/list_table.tsx";
import { NoMatches, WidenHint } from "../../ui/no_matches.tsx";
import { Page } from "../../ui/page.tsx";
import { ViewsMenu } from "../../ui/views/views_menu.tsx";
import { CampaignTotals } from "./campaign_totals.tsx";
import { furtherLabels, sendColumns, type SendNames, usualLabels } from "./send_columns.tsx";
import { SendFilters, useSendQuery } from "./send_filters.tsx";

const refreshMs = 10_000;

export function SendsPage() {
  const { id } = useWorkspace();
  const { query, isFiltered } = useSendQuery();
  const sends = useApiList("GET /sends", { query }, { refetchInterval: refreshMs });
  const names = useSendNames();
  const { usual, further } = useMemo(() => sendColumns(id, names), [id, names]);
  const columns = useColumns(usual, further);
  return (
    <Page
      title="Sends"
      description={
        <>
          Every email, and what happened to it. Kept for 90 days.{" "}
          <Anchor {...linkTo(`/w/${id}/sends/explain`)} inherit>Why wasn’t it sent?</Anchor>
        </>
      }
      actions={
        <>
          <ViewsMenu list="sends" />
          <ColumnsMenu usual={usualLabels} further={furtherLabels} />
          <ExportMenu route="GET /sends/export" input={{ query }} />
        </>
      }
    >
      <SendFilters {...names} />
      <CampaignTotals />
      <ListTable
        label="Sends"
        list={sends}
        columns={columns}
        linkTo={(send) => `/w/${id}/sends/${send.id}`}
        empty={isFiltered
          ? (
            <NoMatches title="No matching emails">
              <WidenHint />
            </NoMatches>
          )
          : (
            <EmptyState icon={PaperAirplaneIcon} title="Nothing sent yet">
              Campaigns, journeys and the API send emails.
            </EmptyState>
          )}
      />
    </Page>
  );
}

/** Names of what messages are made of. */
function useSendNames(): SendNames {
  const campaigns = useReadList("GET /campaigns", {});
  const journeys = useReadList("GET /journeys", {});
  const templates = useReadList("GET /templates", {});
  const senders = useReadList("GET /senders", {});
  const lists = [campaigns, journeys, templates, senders].flatMap((list) => [
    list.rows,
    list.isRead,
  ]);
  return useMemo(() => ({ campaigns, journeys, templates, senders }), lists);
}
