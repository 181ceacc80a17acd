import type { Delivery } from "../../api/types.ts";

/** What happened, for somebody who has not read the log's codes, and what to do about it. */
export interface Explanation {
  what: string;
  remedy: string;
}

const ERRORS: Record<string, Explanation> = {
  timeout: {
    what: "The destination did not answer within 15 seconds (5 for the connection).",
    remedy: "Answer 2xx at once and do the work afterwards, in a queue of your own.",
  },
  dns: {
    what: "The host name of the destination could not be resolved.",
    remedy: "Check the address for typing errors, and that its DNS record is public.",
  },
  connection_refused: {
    what: "Nothing listens on the destination's port.",
    remedy: "Start the receiver, or check the port and the firewall in front of it.",
  },
  connection_reset: {
    what: "The destination closed the connection before its answer was complete.",
    remedy: "Look for crashes and restarts, and for limits of a proxy in front of the receiver.",
  },
  unreachable: {
    what: "There is no route to the destination's address.",
    remedy: "Check that the host is up and its address is on the public internet.",
  },
  tls: {
    what: "No secure connection could be made.",
    remedy: "Check that the certificate is valid, complete with its chain, and names this host.",
  },
  address_not_allowed: {
    what: "The host name leads to a private or reserved address, so nothing was sent.",
    remedy:
      "Use a public address. Who hosts the service can open ranges with DESTINATION_ALLOWED_CIDRS.",
  },
  protocol: {
    what: "What came back is not valid HTTP.",
    remedy: "Check that the port speaks HTTP, and what a proxy makes of the answer.",
  },
  network: {
    what: "The connection failed.",
    remedy: "Replay the delivery; if it happens again, look at the receiver's network.",
  },
};

const UNKNOWN: Explanation = {
  what: "The attempt failed.",
  remedy: "Replay the delivery; if it happens again, look at the receiver's log.",
};

export function explainDelivery(
  { ok, error, status_code }: Pick<Delivery, "ok" | "error" | "status_code">,
): Explanation | null {
  if (ok) return null;
  if (status_code !== null && !(error && error in ERRORS)) return explainStatus(status_code);
  return (error && ERRORS[error]) || UNKNOWN;
}

function explainStatus(status: number): Explanation {
  if (status >= 300 && status < 400) {
    return {
      what: `The destination redirects (${status}), and redirects are not followed.`,
      remedy: "Set the destination to the address that it redirects to.",
    };
  }
  return STATUSES[status] ?? (status >= 500 ? serverError(status) : clientError(status));
}

const STATUSES: Record<number, Explanation> = {
  401: refusedSignature(401),
  403: refusedSignature(403),
  404: {
    what: "The destination knows nothing at this path (404).",
    remedy: "Check the path of the address, and that the receiver's route takes POST.",
  },
  405: {
    what: "The destination's path does not take POST (405).",
    remedy: "Add a POST route at this path.",
  },
  410: {
    what: "The destination wants no more messages (410), so it was disabled.",
    remedy: "Set the right address, enable the destination and recover what was missed.",
  },
  413: {
    what: "The message is too large for the destination (413).",
    remedy: "Raise the body limit of the receiver or of the proxy in front of it.",
  },
  429: {
    what: "The destination asked to slow down (429); its Retry-After was kept to.",
    remedy: "Set a rate limit on the destination, or raise the receiver's own.",
  },
};

function refusedSignature(status: number): Explanation {
  return {
    what: `The receiver refused the request (${status}), most often because of its signature.`,
    remedy: "Compare the secret that it verifies with, and verify the raw bytes of the body.",
  };
}

function serverError(status: number): Explanation {
  return {
    what: `The receiver failed with an error of its own (${status}).`,
    remedy: "Look into its log at the time of the attempt, repair it and replay.",
  };
}

function clientError(status: number): Explanation {
  return {
    what: `The receiver refused the message (${status}).`,
    remedy: "Its answer below may say why. Repair the receiver and replay.",
  };
}
