import type { Entities } from "../access/api_entities.ts";
import type { SampleCall } from "./sample_call.ts";

const sender = ({ senderId }: Entities) => senderId;
const customer = ({ customerId }: Entities) => customerId;

/** One valid call of each route of senders and their messages. */
export const senderCalls: Readonly<Record<string, SampleCall>> = {
  listSenders: { path: () => "/senders" },
  createSender: {
    path: () => "/senders",
    body: {
      name: "Shop",
      provider: "resend",
      from: "Shop <shop@acme.example>",
      config: { api_key: "re_1" },
    },
  },
  getSender: { entity: sender, path: (id) => `/senders/${id}` },
  putSender: {
    path: () => "/senders/main",
    body: { name: "Main", provider: "inbox", from: "hello@acme.example" },
  },
  updateSender: { entity: sender, path: (id) => `/senders/${id}`, body: { enabled: false } },
  deleteSender: { entity: sender, path: (id) => `/senders/${id}` },
  testSender: {
    entity: sender,
    path: (id) => `/senders/${id}/test`,
    body: { to: "ada@example.com" },
  },
  getSenderDns: { entity: sender, path: (id) => `/senders/${id}/dns` },
  getSenderStats: { entity: sender, path: (id) => `/senders/${id}/stats?interval=day` },
  listSends: { path: () => "/sends" },
  createSend: {
    path: () => "/sends",
    body: { template: "welcome", sender: "main", external_id: "user-1" },
  },
  getSend: { entity: ({ sendId }) => sendId, path: (id) => `/sends/${id}` },
  explainSends: { entity: customer, path: (id) => `/sends/explain?customer_id=${id}` },
  listCustomerSends: { entity: customer, path: (id) => `/customers/${id}/sends` },
};
