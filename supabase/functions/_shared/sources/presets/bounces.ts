/** Verdict of a bounce on an address. */
export interface BounceClass {
  /** `hard`: nothing will ever arrive. `soft`: it may later. */
  bounce_type: "hard" | "soft";
  /** The cause in a word, such as `mailbox_full`; undefined if it is unknown. */
  reason: BounceReason | undefined;
}

/** Causes of bounces. The last three are about the message, not about the address. */
export type BounceReason =
  | "unknown_address"
  | "expired"
  | "mailbox_full"
  | "message_too_large"
  | "content_refused"
  | "attachment_refused";

/** A bounce as its provider reports it. */
export interface ReportedBounce {
  /** Enhanced status of RFC 3463, such as `5.1.1`. */
  status?: string | undefined;
  /** Response of the receiving server. */
  diagnostic?: string | undefined;
  /** The provider's own verdict, for a bounce whose status decides nothing. */
  isPermanent: boolean;
  /** Cause that the provider names; it is kept. */
  reason?: BounceReason | undefined;
}

// Not a part of an IP address.
const enhancedStatus = /(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?!\w|\.\d)/;

/** Classifies a bounce by its status, else by the provider's verdict. */
export function classifyBounce(
  { status = "", diagnostic = "", isPermanent, reason }: ReportedBounce,
): BounceClass {
  const found = reason ?? readReason(enhancedStatus.exec(status)?.[0], diagnostic) ??
    readReason(enhancedStatus.exec(diagnostic)?.[0], diagnostic);
  if (found === undefined) {
    return { bounce_type: isPermanent ? "hard" : "soft", reason: undefined };
  }
  const isHard = found === "expired" || found === "unknown_address";
  return { bounce_type: isHard ? "hard" : "soft", reason: found };
}

function readReason(status: string | undefined, diagnostic: string): BounceReason | undefined {
  if (/\battachments?\b/i.test(diagnostic)) return "attachment_refused";
  if (status === undefined) return undefined;
  const [kind, subject, detail] = status.split(".").map(Number);
  // The provider gave up after days of trying.
  if (subject === 4 && detail === 7) return "expired";
  if (subject === 2 && detail === 2) return "mailbox_full";
  if ((subject === 2 && detail === 3) || (subject === 3 && detail === 4)) {
    return "message_too_large";
  }
  // The class of a status of security or content is about the message.
  if (subject === 6 || subject === 7) return "content_refused";
  const isAddress = (subject === 1 && [1, 2, 3, 6, 10].includes(detail ?? 0)) ||
    (subject === 2 && detail === 1);
  return kind === 5 && isAddress ? "unknown_address" : undefined;
}
