import { Badge, Button, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { CircleSlashIcon, PlusIcon, UploadIcon } from "@primer/octicons-react";
import { useMemo, useState } from "react";
import type { Suppression } from "../../api/types.ts";
import { type ApiBody, useApiAction, useApiList } from "../../api/use_api.ts";
import { useApiForm } from "../../api/use_api_form.ts";
import { useMay } from "../../api/workspace.ts";
import { type BulkAction, BulkActions } from "../../ui/bulk_actions.tsx";
import { ConfirmModal } from "../../ui/confirm_modal.tsx";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { FilterInput, Filters } from "../../ui/filters.tsx";
import { type DialogProps, FormModal } from "../../ui/form_modal.tsx";
import { type Column, ListTable } from "../../ui/list_table.tsx";
import { NoMatches, WidenHint } from "../../ui/no_matches.tsx";
import { Select } from "../../ui/overlays.tsx";
import { Page } from "../../ui/page.tsx";
import { SubscriptionTabs } from "../../ui/section_tabs.tsx";
import { useDraftDialog } from "../../ui/use_draft_dialog.ts";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { describeOrigin, reasonLabels } from "./describe_origin.ts";

const ImportSuppressionsModal = lateDialog(async () =>
  (await import("./import_suppressions_modal.tsx")).ImportSuppressionsModal
);

const reasonOptions = Object.entries(reasonLabels).map(([value, label]) => ({ value, label }));

function findReason(text: string | undefined): Suppression["reason"] | undefined {
  return text !== undefined && Object.hasOwn(reasonLabels, text)
    ? text as Suppression["reason"]
    : undefined;
}

const removeAll: BulkAction = {
  label: "Remove",
  explanation: "Emails to these addresses are sent again. Addresses that bounce or complain " +
    "harm your deliverability.",
  run: (api, id) => api.call("DELETE /suppressions/{id}", { params: { id } }),
};

export function SuppressionsPage() {
  const mayEdit = useMay("admin");
  const { query, isFiltered } = useSuppressionQuery();
  const suppressions = useApiList("GET /suppressions", { query });
  const [isAdding, { open, close }] = useDraftDialog("suppression:new");
  const [isImporting, load] = useDisclosure();
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const [removed, setRemoved] = useState<Suppression>();
  const columns = useMemo(() => makeColumns(mayEdit ? setRemoved : undefined), [mayEdit]);
  const add = mayEdit && (
    <Button leftSection={<PlusIcon />} onClick={open}>Suppress an address</Button>
  );
  return (
    <Page
      above={<SubscriptionTabs />}
      title="Suppressions"
      description="Addresses that get no emails, neither marketing nor transactional."
      actions={
        <>
          <ExportMenu route="GET /suppressions/export" input={{ query }} />
          {mayEdit && (
            <Button variant="default" leftSection={<UploadIcon />} onClick={load.open}>
              Import
            </Button>
          )}
          {add}
        </>
      }
    >
      <SuppressionFilters />
      <PartHint />
      <BulkActions
        noun="suppression"
        selected={selected}
        clear={() => select(new Set())}
        actions={[removeAll]}
      />
      <ListTable
        label="Suppressions"
        selection={mayEdit
          ? { selected, onChange: select, nameOf: (row: Suppression) => row.email ?? row.id }
          : undefined}
        list={suppressions}
        columns={columns}
        empty={isFiltered
          ? <NoMatchingSuppressions {...query} />
          : (
            <EmptyState icon={CircleSlashIcon} title="No suppressed addresses" action={add}>
              Hard bounces and complaints are added automatically.
            </EmptyState>
          )}
      />
      {isAdding && <AddModal isOpen close={close} />}
      {isImporting && <ImportSuppressionsModal isOpen close={load.close} />}
      {removed && <RemoveModal suppression={removed} close={() => setRemoved(undefined)} />}
    </Page>
  );
}

interface SuppressionQuery {
  email: string | undefined;
  reason: Suppression["reason"] | undefined;
}

/** The list that the page's address asks for, and whether that is a part of all suppressions. */
function useSuppressionQuery() {
  const { filters } = useFilters();
  // The api refuses half an address.
  const email = filters.email?.includes("@") ? filters.email : undefined;
  const query: SuppressionQuery = { email, reason: findReason(filters.reason) };
  return { query, isFiltered: query.email !== undefined || query.reason !== undefined };
}

function SuppressionFilters() {
  const { filters, setFilters } = useFilters();
  return (
    <Filters>
      <FilterInput
        aria-label="Email"
        placeholder="Full email address"
        value={filters.email}
        onChange={(value) => setFilters({ email: value })}
      />
      <Select
        aria-label="Reason"
        placeholder="Any reason"
        data={reasonOptions}
        value={findReason(filters.reason) ?? null}
        onChange={(value: string | null) => setFilters({ reason: value ?? undefined })}
        clearable
      />
    </Filters>
  );
}

/** Says that a part of an address filters nothing. */
function PartHint() {
  const { email } = useFilters().filters;
  if (!email || email.includes("@")) return null;
  return (
    <Text size="sm" c="dimmed" mb="sm" role="status">
      Enter the whole address. A part of it filters nothing.
    </Text>
  );
}

function NoMatchingSuppressions({ email, reason }: SuppressionQuery) {
  if (email !== undefined && reason === undefined) {
    return <NoMatches title="This address is not suppressed">It can get emails.</NoMatches>;
  }
  return (
    <NoMatches title="No matching suppressions">
      <WidenHint />
    </NoMatches>
  );
}

/** @param remove asks whether to remove a suppression; undefined for users who may only read. */
function makeColumns(remove: ((row: Suppression) => void) | undefined): Column<Suppression>[] {
  return [
    {
      label: "Address",
      cell: ({ email, email_hash, reason, until, created_at }) => (
        <>
          <Text size="sm" className="break-anywhere">
            {email ?? `Erased (${email_hash.slice(0, 12)}…)`}
          </Text>
          <Text size="xs" c="dimmed" hiddenFrom="sm">
            {reasonLabels[reason]} · <TimeAgo time={created_at} />
            {until && (
              <>
                {" "}
                · ends <TimeAgo time={until} />
              </>
            )}
          </Text>
        </>
      ),
    },
    {
      label: "Reason",
      visibleFrom: "sm",
      cell: (row) => (
        <>
          <Badge color="gray">{reasonLabels[row.reason]}</Badge>
          <Text size="xs" c="dimmed">{describeOrigin(row)}</Text>
        </>
      ),
    },
    {
      label: "Ends",
      visibleFrom: "md",
      cell: ({ until }) => until ? <TimeAgo time={until} /> : "Never",
    },
    {
      label: "Added",
      align: "right",
      visibleFrom: "sm",
      cell: (row) => <TimeAgo time={row.created_at} />,
    },
    ...(remove
      ? [
        {
          label: "Actions",
          align: "right",
          cell: (row: Suppression) => (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() => remove(row)}
            >
              Remove
            </Button>
          ),
        } satisfies Column<Suppression>,
      ]
      : []),
  ];
}

function AddModal(dialog: DialogProps) {
  const { form, submitTo, generalError, draft } = useApiForm({
    draft: "suppression:new",
    schema: "newSuppression",
    initialValues: { email: "" },
    toBody: (values) => values,
  });
  const add = useApiAction(
    "POST /suppressions",
    (body: ApiBody<"POST /suppressions">) => ({ body }),
    { onSuccess: dialog.close },
  );
  return (
    <FormModal
      {...dialog}
      title="Suppress an address"
      submitLabel="Suppress"
      onSubmit={submitTo(add)}
      isPending={add.isPending}
      error={generalError(add.error)}
      draft={draft}
    >
      <TextInput
        label="Email"
        description="It gets no emails until the suppression is removed."
        data-autofocus
        {...form.getInputProps("email")}
      />
    </FormModal>
  );
}

function RemoveModal({ suppression, close }: { suppression: Suppression; close: () => void }) {
  const remove = useApiAction(
    "DELETE /suppressions/{id}",
    () => ({ params: { id: suppression.id } }),
    { onSuccess: close },
  );
  return (
    <ConfirmModal
      isOpen
      close={close}
      title="Remove this suppression?"
      confirmLabel="Remove suppression"
      action={remove}
      onConfirm={() => remove.mutate()}
    >
      <Text size="sm">
        Emails to <bdi>{suppression.email ?? "this address"}</bdi>{" "}
        are sent again. Addresses that bounce or complain harm your deliverability.
      </Text>
    </ConfirmModal>
  );
}
