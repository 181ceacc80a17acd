import type { DeliveryError } from "../../../../supabase/functions/api/contract/deliveries.ts";
import { outboundLimits } from "../../../../supabase/functions/api/contract/limits.ts";
import type { Delivery, Message } from "../../api/types.ts";

/** Explains an outcome in plain words. */
export interface Explanation {
  what: string;
  remedy: string;
}

const { deadlineMs, connectTimeoutMs } = outboundLimits;

const errorTexts: Readonly<Record<DeliveryError, Explanation>> = {
  timeout: {
    what: `The destination did not respond within ${deadlineMs / 1000} seconds ` +
      `(${connectTimeoutMs / 1000} to connect).`,
    remedy: "Respond with 2xx as soon as the message is stored, and process it afterwards. If no " +
      "request reaches the receiver, a firewall may be dropping the connection: allow this host " +
      "and port.",
  },
  dns: {
    what: "The destination’s host name does not exist or has no public address.",
    remedy:
      "Check the URL for typos. Check that the domain has not expired and has a public A or " +
      "AAAA record. The operator of the service can allow other ranges with " +
      "DESTINATION_ALLOWED_CIDRS.",
  },
  connection_refused: {
    what: "Nothing is listening on the destination’s port.",
    remedy: "Start the receiver, make it listen on all interfaces instead of localhost only, and " +
      "compare its port with the port in the URL.",
  },
  connection_reset: {
    what: "The destination closed the connection before its response was complete.",
    remedy:
      "Check whether the receiver crashed or restarted at that time, and whether a proxy in " +
      "front of it limits size or time.",
  },
  unreachable: {
    what: "The destination’s address is unreachable.",
    remedy: "Check that the host is running and that its DNS record points to its public address.",
  },
  tls: {
    what: "The TLS connection failed.",
    remedy:
      "Check that the certificate has not expired, includes its intermediates, matches this " +
      "host and comes from a public authority.",
  },
  address_not_allowed: {
    what: "The URL contains a private or reserved address, so nothing was sent.",
    remedy: "Use a public address. The operator of the service can allow ranges with " +
      "DESTINATION_ALLOWED_CIDRS.",
  },
  protocol: {
    what: "The response is not valid HTTP.",
    remedy: "Check that the port serves HTTP and that no proxy changes the response.",
  },
  interrupted: {
    what: "The dispatcher stopped before it recorded the outcome. The request may have arrived.",
    remedy: "If it is sent again, it has the same id. The receiver should ignore an id that it " +
      "has already processed.",
  },
  network: {
    what: "The connection failed for an unknown reason.",
    remedy: "If it happens again, check the receiver’s network and its log.",
  },
};

const unknownFailure: Explanation = {
  what: "The attempt failed.",
  remedy: "If it happens again, check the receiver’s log.",
};

/** Explains why an attempt failed, and what helps; null for one that succeeded. */
export function explainDelivery(
  { ok, error, status_code }: Pick<Delivery, "ok" | "error" | "status_code">,
): Explanation | null {
  if (ok) return null;
  const known = error === null ? undefined : explainError(error);
  if (known && status_code !== null) return explainBrokenOff(status_code, known);
  return known ?? (status_code === null ? unknownFailure : explainStatus(status_code));
}

/** Returns undefined for an error that this version of the dashboard does not know. */
function explainError(error: string): Explanation | undefined {
  return Object.hasOwn(errorTexts, error) ? errorTexts[error as DeliveryError] : undefined;
}

/** Explains a response that was cut off after its status. */
function explainBrokenOff(status: number, { remedy }: Explanation): Explanation {
  return {
    what: `The destination started to respond (${status}), but the response was cut off.`,
    remedy: `${remedy} A response to a webhook needs no body.`,
  };
}

function explainStatus(status: number): Explanation {
  if (status >= 300 && status < 400) {
    return {
      what: `The destination redirects (${status}), and redirects are not followed.`,
      remedy: "Set the endpoint URL to the target of the redirect. Often it is https instead of " +
        "http, or has a trailing slash.",
    };
  }
  return statuses[status] ?? (status >= 500 ? serverError(status) : clientError(status));
}

const statuses: Record<number, Explanation> = {
  401: refusedSignature(401),
  403: refusedSignature(403),
  404: {
    what: "The destination has nothing at this path (404).",
    remedy: "Check the path of the URL, and that the receiver’s route accepts POST.",
  },
  405: {
    what: "The destination’s path does not accept POST (405).",
    remedy: "Add a POST route at this path.",
  },
  410: {
    what: "The destination refuses further messages (410), so it was disabled.",
    remedy: "Set the right URL, enable the destination and deliver the missed messages.",
  },
  413: {
    what: "The message is too large for the destination (413).",
    remedy: "Raise the body limit of the receiver or of the proxy in front of it.",
  },
  415: {
    what: "The receiver does not accept JSON at this path (415).",
    remedy: "Make it accept the content type application/json.",
  },
  429: {
    what: "The destination is rate limiting (429). Its Retry-After was respected.",
    remedy: "Set a rate limit on the destination, or raise the receiver’s own limit.",
  },
  502: gatewayError(502),
  503: gatewayError(503),
  504: gatewayError(504),
};

function refusedSignature(status: number): Explanation {
  return {
    what: `The receiver refused the request (${status}), most often because of its signature.`,
    remedy: "Compare the secret that the receiver uses. Verify the raw bytes of the body, before " +
      "anything parses them. If the path requires a login, remove it.",
  };
}

/** Explains a response that often comes from a proxy in front of a receiver, and can be its own. */
function gatewayError(status: number): Explanation {
  return {
    what: `Your endpoint is down or overloaded (${status}).`,
    remedy: "Check that it is running and can take the load.",
  };
}

function serverError(status: number): Explanation {
  return {
    what: `The receiver returned a server error (${status}).`,
    remedy: "Check its log at the time of the attempt, and fix the error.",
  };
}

function clientError(status: number): Explanation {
  return {
    what: `The receiver refused the message (${status}).`,
    remedy: "Its response below may say why. Fix the receiver.",
  };
}

type State = Pick<Message, "state" | "held_by" | "is_in_progress" | "canceled_at">;

/** Says what happens to the message of a failed attempt, and what a person can do about it. */
export function explainNext({ state, held_by, is_in_progress, canceled_at }: State): string {
  if (is_in_progress) return "The message is being sent again now.";
  if (canceled_at !== null) return "The message was canceled, so it is not sent again.";
  if (state === "held" && held_by === "disabled") {
    return "The message is sent again once the destination is enabled.";
  }
  return nextTexts[state];
}

const nextTexts: Readonly<Record<Message["state"], string>> = {
  waiting: "The message is sent again now.",
  retrying: "Retries continue automatically. Resend the message if it is urgent.",
  held:
    "The destination is paused after failures. The message is sent again once an attempt succeeds.",
  delivered: "The message has been delivered since.",
  given_up: "It will not be retried. Resend the message when the receiver works again.",
  missed: "The destination was disabled, so it will not be retried. Deliver its missed " +
    "messages, or resend this one.",
};
