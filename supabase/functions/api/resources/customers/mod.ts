import { attachDeviceToken } from "./attach_device_token.ts";
import { deleteCustomer } from "./delete_customer.ts";
import { detachDeviceToken } from "./detach_device_token.ts";
import { exportCustomers } from "./export_customers.ts";
import { getCustomer } from "./get_customer.ts";
import { listCustomerEvents } from "./list_customer_events.ts";
import { listCustomerRuns } from "./list_customer_runs.ts";
import { listCustomerSegments } from "./list_customer_segments.ts";
import { listCustomerSends } from "./list_customer_sends.ts";
import { listCustomerTopics } from "./list_customer_topics.ts";
import { listCustomers } from "./list_customers.ts";
import { listDeviceTokens } from "./list_device_tokens.ts";
import { listMerges } from "./list_merges.ts";
import { setCustomerTopic } from "./set_customer_topic.ts";
import { updateCustomer } from "./update_customer.ts";

/** Routes of this resource. */
export const customerRoutes = [
  // Before `{id}`, which matches every word.
  exportCustomers,
  attachDeviceToken,
  deleteCustomer,
  detachDeviceToken,
  getCustomer,
  listCustomerEvents,
  listCustomerSegments,
  listCustomerSends,
  listCustomerRuns,
  listCustomers,
  listCustomerTopics,
  listDeviceTokens,
  listMerges,
  setCustomerTopic,
  updateCustomer,
] as const;
