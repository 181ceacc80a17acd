import { createSender } from "./create_sender.ts";
import { deleteSender } from "./delete_sender.ts";
import { getSender } from "./get_sender.ts";
import { getSenderDns } from "./get_sender_dns.ts";
import { getSenderStats } from "./get_sender_stats.ts";
import { listSenders } from "./list_senders.ts";
import { putSender } from "./put_sender.ts";
import { testSender } from "./test_sender.ts";
import { updateSender } from "./update_sender.ts";

/** Routes of this resource. */
export const senderRoutes = [
  createSender,
  deleteSender,
  getSender,
  getSenderDns,
  getSenderStats,
  listSenders,
  putSender,
  testSender,
  updateSender,
] as const;
