import { cancelMessage } from "./cancel_message.ts";
import { exportMessages } from "./export_messages.ts";
import { getMessage } from "./get_message.ts";
import { listMessages } from "./list_messages.ts";
import { tryMessageNow } from "./try_message_now.ts";

/** Routes of this resource. */
export const messageRoutes = [
  // Before `{id}`, which matches every word.
  exportMessages,
  cancelMessage,
  getMessage,
  listMessages,
  tryMessageNow,
] as const;
