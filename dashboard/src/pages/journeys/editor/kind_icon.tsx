import {
  BroadcastIcon,
  FlagIcon,
  GitBranchIcon,
  GoalIcon,
  HourglassIcon,
  type Icon,
  MailIcon,
  PersonIcon,
  SignOutIcon,
  SquareIcon,
  StopwatchIcon,
  WebhookIcon,
} from "@primer/octicons-react";

const icons: Readonly<Record<string, Icon>> = {
  send: MailIcon,
  wait: HourglassIcon,
  wait_for: StopwatchIcon,
  branch: GitBranchIcon,
  split: BroadcastIcon,
  update: PersonIcon,
  webhook: WebhookIcon,
  exit: SignOutIcon,
  entry: FlagIcon,
  ends: GoalIcon,
};

/** The icon of a kind of step. */
export function KindIcon({ kind, size = 16 }: { kind: string; size?: number }) {
  const Found = icons[kind] ?? SquareIcon;
  return <Found size={size} />;
}
