import { Anchor, Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { AlertIcon, CheckCircleIcon, DotFillIcon, PlusIcon } from "@primer/octicons-react";
import { useMemo, useState } from "react";
import type { Alert, AlertRule } from "../../api/types.ts";
import { listRows, useApiList } from "../../api/use_api.ts";
import { useReturningNames } from "../../api/use_draft.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { focusRow } from "../../ui/focus_row.ts";
import { Filters } from "../../ui/filters.tsx";
import { useAskedDialog } from "../../ui/use_draft_dialog.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable, RowButton } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { describeRule, kindTexts, type Preset, presets } from "./kind_texts.ts";
import { RuleMenu } from "./rule_menu.tsx";
import { Select } from "../../ui/overlays.tsx";

const RuleModal = lateDialog(async () => (await import("./rule_modal.tsx")).RuleModal);

export function AlertsPage() {
  const mayEdit = useMay("admin");
  const rules = useApiList("GET /alert-rules", {}, { refetchInterval: 30_000 });
  const [openId, setOpenId] = useState(useReturningNames("alert-rule:")[0]);
  const [preset, setPreset] = useState<Preset>();
  const columns = useMemo(
    () => makeRuleColumns(mayEdit ? ({ id }) => setOpenId(id) : undefined),
    [mayEdit],
  );
  const opened = listRows(rules).find(({ id }) => id === openId);
  const openNew = (chosen?: Preset) => {
    setPreset(chosen);
    setOpenId("new");
  };
  useAskedDialog("alert-rule:new", openNew);
  const create = mayEdit && (
    <Button
      leftSection={<PlusIcon />}
      data-row="new"
      onClick={() => openNew()}
    >
      New rule
    </Button>
  );
  return (
    <Page
      title="Alerts"
      description="Get notified when something fails, backs up or falls behind."
      actions={create}
    >
      <Stack gap="xl">
        <Stack gap="sm">
          <Title order={2} size="h4">Rules</Title>
          <ListTable
            label="Alert rules"
            list={rules}
            columns={columns}
            empty={
              <EmptyState
                icon={AlertIcon}
                title="No alert rules yet"
                action={mayEdit && <Presets open={openNew} />}
              >
                {mayEdit
                  ? "Begin with one of these, or create a rule of your own."
                  : "Ask an admin of this workspace to create one."}
              </EmptyState>
            }
          />
        </Stack>
        <PastAlerts />
      </Stack>
      {mayEdit && (opened || openId === "new") && (
        <RuleModal
          rule={opened}
          preset={preset}
          isOpen
          close={() => {
            setOpenId(undefined);
            focusRow(openId);
          }}
        />
      )}
    </Page>
  );
}

/** Buttons that open a new rule with most of it filled in. */
function Presets({ open }: { open: (preset: Preset) => void }) {
  return (
    <Group gap="xs" justify="center">
      {presets.map((preset) => (
        <Button
          key={preset.kind}
          variant="default"
          onClick={() => open(preset)}
        >
          {preset.name}
        </Button>
      ))}
    </Group>
  );
}

function PastAlerts() {
  const { filters, setFilters } = useFilters();
  const state = filters.state === "open" || filters.state === "resolved"
    ? filters.state
    : undefined;
  const alerts = useApiList("GET /alerts", { query: { state } }, { refetchInterval: 30_000 });
  return (
    <div>
      <Title order={2} size="h4" mb="sm">History</Title>
      <Filters>
        <Select
          aria-label="State"
          placeholder="Any state"
          data={[{ value: "open", label: "Open" }, { value: "resolved", label: "Resolved" }]}
          value={state ?? null}
          onChange={(value) => setFilters({ state: value ?? undefined })}
          clearable
        />
      </Filters>
      <ListTable
        label="Alerts"
        list={alerts}
        columns={alertColumns}
        empty={
          <EmptyState icon={CheckCircleIcon} title="No alerts">
            {state === "open" ? "Nothing is open now." : "Alerts are kept for 90 days."}
          </EmptyState>
        }
      />
    </div>
  );
}

/** Says what happened, with a link to where it happened. */
function AlertMessage({ alert }: { alert: Alert }) {
  const { kind, target, is_test, message, resolved_by } = alert;
  const { id } = useWorkspace();
  const { path } = kindTexts[kind];
  const isGone = target === null || resolved_by === "target_deleted";
  if (path === undefined || isGone || is_test) {
    return <Text size="sm" className="break-anywhere">{message}</Text>;
  }
  return (
    <Anchor
      {...linkTo(`/w/${id}/${path}/${target.id}`)}
      size="sm"
      display="block"
      className="break-anywhere"
    >
      {message}
    </Anchor>
  );
}

const alertColumns: Column<Alert>[] = [
  {
    label: "Alert",
    cell: (alert) => (
      <>
        <AlertMessage alert={alert} />
        <Text size="xs" c="dimmed">{alert.rule_name}</Text>
      </>
    ),
  },
  {
    label: "State",
    cell: ({ state, is_test }) =>
      is_test
        ? <Badge color="gray">Test</Badge>
        : state === "open"
        ? <Badge color="red" leftSection={dot}>Open</Badge>
        : <Badge color="teal" leftSection={dot}>Resolved</Badge>,
  },
  { label: "Opened", visibleFrom: "sm", cell: (alert) => <TimeAgo time={alert.opened_at} /> },
  {
    label: "Resolved",
    visibleFrom: "md",
    align: "right",
    cell: ({ resolved_at }) => resolved_at ? <TimeAgo time={resolved_at} /> : "Not yet",
  },
];

/** @param edit opens a rule; undefined for users who may only read. */
function makeRuleColumns(edit: ((rule: AlertRule) => void) | undefined): Column<AlertRule>[] {
  const name = (rule: AlertRule) => (
    <>
      <Text size="sm" fw={550} className="break-anywhere" dir="auto">{rule.name}</Text>
      <Text size="xs" c="dimmed">{describeRule(rule)}</Text>
    </>
  );
  return [
    {
      label: "Rule",
      cell: (rule) =>
        edit
          ? <RowButton rowId={rule.id} onClick={() => edit(rule)}>{name(rule)}</RowButton>
          : name(rule),
    },
    { label: "State", cell: (rule) => <RuleState rule={rule} /> },
    {
      label: "Notices",
      visibleFrom: "md",
      cell: ({ channels }) =>
        channels.map(({ type }) => channelLabels[type]).join(", ") || "Bell only",
    },
    ...(edit
      ? [
        {
          label: "Actions",
          align: "right",
          cell: (rule: AlertRule) => <RuleMenu rule={rule} edit={() => edit(rule)} />,
        } satisfies Column<AlertRule>,
      ]
      : []),
  ];
}

const dot = <DotFillIcon size={12} />;

const channelLabels = { email: "Email", destination: "Destination" } as const;

function RuleState({ rule }: { rule: AlertRule }) {
  if (!rule.enabled) return <Badge color="gray" leftSection={dot}>Disabled</Badge>;
  return rule.open_alerts > 0
    ? <Badge color="red" leftSection={dot}>{rule.open_alerts} open</Badge>
    : <Badge color="teal" leftSection={dot}>OK</Badge>;
}
