import { ActionIcon } from "@mantine/core";
import {
  BellIcon,
  HistoryIcon,
  KebabHorizontalIcon,
  PencilIcon,
  TrashIcon,
} from "@primer/octicons-react";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { AlertRule } from "../../api/types.ts";
import { useApiAction } from "../../api/use_api.ts";
import { DeleteModal } from "../../ui/delete_modal.tsx";
import { showError } from "../../ui/show_error.ts";
import { Menu } from "../../ui/overlays.tsx";

interface RuleMenuProps {
  rule: AlertRule;
  edit: () => void;
  /** Shows the alerts of the rule in the history. */
  showAlerts: () => void;
}

/** Actions of an alert rule. */
export function RuleMenu({ rule, edit, showAlerts }: RuleMenuProps) {
  const params = { id: rule.id };
  const [isDeleting, setDeleting] = useState(false);
  const test = useApiAction("POST /alert-rules/{id}/test", () => ({ params }), {
    onSuccess: () => notifications.show({ message: "Test alert sent", color: "teal" }),
    onError: showError,
  });
  const toggle = useApiAction(
    "PATCH /alert-rules/{id}",
    () => ({ params, body: { enabled: !rule.enabled } }),
    { onError: showError },
  );
  const remove = useApiAction("DELETE /alert-rules/{id}", () => ({ params }), {
    onSuccess: () => setDeleting(false),
  });
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${rule.name}`}>
            <KebabHorizontalIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<BellIcon />} onClick={() => test.mutate()}>
            Send a test alert
          </Menu.Item>
          <Menu.Item leftSection={<HistoryIcon />} onClick={showAlerts}>Show its alerts</Menu.Item>
          <Menu.Item leftSection={<PencilIcon />} onClick={edit}>Edit</Menu.Item>
          <Menu.Item onClick={() => toggle.mutate()}>
            {rule.enabled ? "Disable" : "Enable"}
          </Menu.Item>
          <Menu.Item
            className="danger-item"
            leftSection={<TrashIcon />}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isDeleting && (
        <DeleteModal
          isOpen
          close={() => setDeleting(false)}
          noun="alert rule"
          name={rule.name}
          action={remove}
        >
          Its open alerts are resolved. Past alerts stay in the list.
        </DeleteModal>
      )}
    </>
  );
}
