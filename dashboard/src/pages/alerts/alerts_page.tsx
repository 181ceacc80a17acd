import { Anchor, Badge, Box, Button, Group, Stack, Text, Title } from "@mantine/core";
import { AlertIcon, CheckCircleIcon, DotFillIcon, PlusIcon } from "@primer/octicons-react";
import { Fragment, useMemo, useState } from "react";
import type { Alert, AlertRule } from "../../api/types.ts";
import { listRows, useApiList, useReadList } from "../../api/use_api.ts";
import { useReturningNames } from "../../api/use_draft.ts";
import { useMay, useWorkspace } from "../../api/workspace.ts";
import { countOf } from "../../format/numbers.ts";
import { EmptyState } from "../../ui/empty_state.tsx";
import { ExportMenu } from "../../ui/export_menu.tsx";
import { focusRow } from "../../ui/focus_row.ts";
import { Filters } from "../../ui/filters.tsx";
import { useAskedDialog } from "../../ui/use_draft_dialog.ts";
import { lateDialog } from "../../ui/late_dialog.tsx";
import { linkTo } from "../../ui/link_to.ts";
import { type Column, ListTable, RowButton } from "../../ui/list_table.tsx";
import { Page } from "../../ui/page.tsx";
import { TimeAgo } from "../../ui/time_ago.tsx";
import { useFilters } from "../../url/use_filters.ts";
import { type Carriers, describeUnheard } from "./describe_unheard.ts";
import { describeRule, getsNotices, kindTexts, type Preset, presets } from "./kind_texts.ts";
import { RuleMenu } from "./rule_menu.tsx";
import { Select } from "../../ui/overlays.tsx";

const RuleModal = lateDialog(async () => (await import("./rule_modal.tsx")).RuleModal);

export function AlertsPage() {
  const mayEdit = useMay("admin");
  const rules = useApiList("GET /alert-rules", {}, { refetchInterval: 30_000 });
  const [openId, setOpenId] = useState(useReturningNames("alert-rule:")[0]);
  const [preset, setPreset] = useState<Preset>();
  const senders = useReadList("GET /senders", {});
  const columns = useRuleColumns(mayEdit ? setOpenId : undefined);
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
          <div>
            <Title order={2} size="h4">Rules</Title>
            <Text size="sm" c="dimmed">Each enabled rule is checked every 30 seconds.</Text>
          </div>
          <ListTable
            label="Alert rules"
            list={rules}
            columns={columns}
            empty={
              <EmptyState
                icon={AlertIcon}
                title="No alert rules yet"
                action={mayEdit && <Presets presets={presets} open={openNew} justify="center" />}
              >
                {mayEdit
                  ? "Begin with one of these, or create a rule of your own."
                  : "Ask an admin of this workspace to create one."}
              </EmptyState>
            }
          />
          {mayEdit && <Suggestions rules={listRows(rules)} open={openNew} />}
        </Stack>
        <PastAlerts rules={listRows(rules)} />
      </Stack>
      {mayEdit && (opened || openId === "new" && senders.isRead) && (
        <RuleModal
          rule={opened}
          preset={preset}
          senderId={senders.rows.findLast(({ enabled }) => enabled)?.id}
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

/** @param open opens a rule; undefined for users who may only read. */
function useRuleColumns(open: ((id: string) => void) | undefined): Column<AlertRule>[] {
  const destinations = useReadList("GET /destinations", {});
  const senders = useReadList("GET /senders", {});
  const isRead = destinations.isRead && senders.isRead;
  const { setFilters } = useFilters();
  const mayEdit = open !== undefined;
  return useMemo(
    () =>
      makeRuleColumns({
        edit: open && (({ id }) => open(id)),
        showAlerts: ({ id }) => setFilters({ rule: id, state: undefined }),
        carriers: isRead ? { destinations: destinations.rows, senders: senders.rows } : undefined,
      }),
    [mayEdit, isRead, destinations.rows, senders.rows],
  );
}

/** The common rules that a workspace with rules lacks. */
function Suggestions(
  { rules, open }: { rules: readonly AlertRule[]; open: (preset: Preset) => void },
) {
  const missing = presets.filter(({ kind }) => rules.every((rule) => rule.kind !== kind));
  if (rules.length === 0 || missing.length === 0) return null;
  return (
    <Group gap="sm">
      <Text size="sm" c="dimmed">Common rules to add:</Text>
      <Presets presets={missing} open={open} />
    </Group>
  );
}

interface PresetsProps {
  presets: readonly Preset[];
  open: (preset: Preset) => void;
  /** @default left */
  justify?: "center";
}

/** Buttons that open a new rule with most of it filled in. */
function Presets({ presets, open, justify }: PresetsProps) {
  return (
    <Group gap="xs" justify={justify}>
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

function PastAlerts({ rules }: { rules: AlertRule[] }) {
  const { filters, setFilters } = useFilters();
  const state = (["open", "resolved"] as const).find((state) => state === filters.state);
  // A rule that is deleted keeps its alerts, and none can be chosen before the rules are read.
  const rule = rules.find(({ id }) => id === filters.rule)?.id;
  const list = { query: { state, rule_id: rule } };
  const alerts = useApiList("GET /alerts", list, { refetchInterval: 30_000 });
  return (
    <div>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">History</Title>
        <ExportMenu route="GET /alerts/export" input={list} />
      </Group>
      <Filters>
        <Select
          aria-label="State"
          placeholder="Any state"
          data={[{ value: "open", label: "Open" }, { value: "resolved", label: "Resolved" }]}
          value={state ?? null}
          onChange={(value) => setFilters({ state: value ?? undefined })}
          clearable
        />
        <Select
          aria-label="Rule"
          placeholder="Any rule"
          data={rules.map(({ id, name }) => ({ value: id, label: name }))}
          value={rule ?? null}
          onChange={(value) => setFilters({ rule: value ?? undefined })}
          clearable
          searchable
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

interface RuleColumnOptions {
  /** Opens a rule; undefined for users who may only read. */
  edit: ((rule: AlertRule) => void) | undefined;
  /** Shows the alerts of a rule in the history. */
  showAlerts: (rule: AlertRule) => void;
  /** The things that can carry notices; undefined until they are read. */
  carriers: Carriers | undefined;
}

function makeRuleColumns(options: RuleColumnOptions): Column<AlertRule>[] {
  const { edit, showAlerts, carriers } = options;
  const name = (rule: AlertRule) => (
    <>
      <Text size="sm" fw={550} className="break-anywhere" dir="auto">{rule.name}</Text>
      <Text size="xs" c="dimmed" className="break-anywhere">
        <RuleSentence rule={rule} />
      </Text>
      <Unheard rule={rule} carriers={carriers} />
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
      label: "Last sent",
      visibleFrom: "lg",
      cell: (rule) =>
        rule.last_notified_at === null ? <Text size="sm" c="dimmed">Never</Text> : (
          <Anchor
            component="button"
            type="button"
            size="sm"
            aria-label={`Show the alerts of ${rule.name}`}
            onClick={() => showAlerts(rule)}
          >
            <TimeAgo time={rule.last_notified_at} />
          </Anchor>
        ),
    },
    {
      label: "Sent to",
      visibleFrom: "md",
      cell: (rule) => <RuleNotices rule={rule} carriers={carriers} />,
    },
    ...(edit
      ? [
        {
          label: "Actions",
          align: "right",
          cell: (rule: AlertRule) => (
            <RuleMenu
              rule={rule}
              edit={() => edit(rule)}
              showAlerts={() => showAlerts(rule)}
            />
          ),
        } satisfies Column<AlertRule>,
      ]
      : []),
  ];
}

const dot = <DotFillIcon size={12} />;

interface RuleReachProps extends Pick<RuleColumnOptions, "carriers"> {
  rule: AlertRule;
}

/** Warns of alerts that only the dashboard shows. */
function Unheard({ rule, carriers }: RuleReachProps) {
  const text = carriers && rule.enabled && describeUnheard(rule, carriers);
  return text && (
    <Group gap={4} wrap="nowrap" align="flex-start" fz="xs" lh="xs">
      <Box c="orange" component="span" className="beside-text">
        <AlertIcon size={12} />
      </Box>
      <Text size="xs" className="break-anywhere">{text}</Text>
    </Group>
  );
}

/** The bell, the channels of the rule, and the destinations that get every notice. */
function RuleNotices({ rule: { channels }, carriers }: RuleReachProps) {
  const subscribers = carriers?.destinations
    .filter(({ event_types }) => getsNotices(event_types)) ?? [];
  const emails = channels.flatMap((channel) => channel.type === "email" ? channel.to : []);
  const count = channels.filter(({ type }) => type === "destination").length;
  const own = [
    "Bell",
    ...emails,
    ...count > 0 ? [countOf(count, "destination")] : [],
  ];
  return (
    <>
      <Text size="sm" className="break-anywhere">{own.join(", ")}</Text>
      {subscribers.length > 0 && (
        <Text size="xs" c="dimmed" className="break-anywhere">
          And {subscribers.map(({ name }, i) => (
            <Fragment key={i}>
              {i > 0 && ", "}
              <bdi>{name}</bdi>
            </Fragment>
          ))}, by subscription
        </Text>
      )}
    </>
  );
}

function RuleState({ rule: { enabled, open_alerts, firing_since } }: { rule: AlertRule }) {
  if (!enabled) return <Badge color="gray" leftSection={dot}>Disabled</Badge>;
  if (open_alerts === 0) return <Badge color="teal" leftSection={dot}>No open alert</Badge>;
  return (
    <>
      <Badge color="red" leftSection={dot}>{open_alerts} open</Badge>
      <Text size="xs" c="dimmed" mt={2}>
        Since <TimeAgo time={firing_since} />
      </Text>
    </>
  );
}

/** Says when a rule opens an alert; a name of another script keeps the order of the sentence. */
function RuleSentence({ rule }: { rule: AlertRule }) {
  const sentence = describeRule(rule);
  const name = rule.target_name ?? "";
  const at = name === "" ? -1 : sentence.indexOf(name);
  if (at < 0) return sentence;
  return (
    <>
      {sentence.slice(0, at)}
      <bdi>{name}</bdi>
      {sentence.slice(at + name.length)}
    </>
  );
}
