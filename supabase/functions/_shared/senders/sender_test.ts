import { z } from "zod";

/** Request of `POST /send-dispatch/test`. */
export const senderTestRequest = z.strictObject({
  /** The cell of the workspace. */
  cell: z.string(),
  workspace_id: z.uuid(),
  sender_id: z.uuid(),
  /** The address that gets the test mail. */
  to: z.string().min(3).max(254),
});

export type SenderTestRequest = z.output<typeof senderTestRequest>;

/** The provider's answer to a test mail. */
export const senderTestResult = z.object({
  ok: z.boolean().meta({ description: "True if the provider accepted the mail." }),
  outcome: z.enum(["sent", "retry", "failed", "unknown"]).meta({
    description: "retry: the provider did not accept it, but may later. failed: it never will. " +
      "unknown: the connection ended while the mail was on its way.",
  }),
  reason: z.string().nullable().meta({ example: "unauthorized" }),
  status_code: z.int().nullable().meta({ description: "HTTP status or SMTP reply code." }),
  response: z.string().nullable().meta({ description: "Beginning of the provider's answer." }),
  provider_id: z.string().nullable().meta({ description: "The provider's id of the mail." }),
  message_id: z.string().meta({ description: "The header `Message-ID`." }),
  duration_ms: z.int(),
}).meta({ id: "SenderTestResult" });

export type SenderTestResult = z.output<typeof senderTestResult>;

/** Sends a test mail. Throws `not_found` for an unknown sender, and `unavailable`. */
export type SenderTester = (request: SenderTestRequest) => Promise<SenderTestResult>;
