import type { Delivery } from "../../api/types.ts";

/** What happened, for somebody who has not read the log's codes, and what to do about it. */
export interface Explanation {
  what: string;
  remedy: string;
}

const ERRORS: Record<string, Explanation> = {
  timeout: {
    what: "The destination did not answer within 15 seconds (5 for the connection).",
    remedy: "Answer 2xx as soon as the message is kept, and do the work afterwards. If nothing " +
      "reaches the receiver at all, a firewall swallows the connection: let port and address in.",
  },
  dns: {
    what: "The host name of the destination does not exist or does not lead to a public address.",
    remedy: "Check the address for typing errors, and that its domain has not expired and has a " +
      "public A or AAAA record. Who hosts the service can open other ranges with " +
      "DESTINATION_ALLOWED_CIDRS.",
  },
  connection_refused: {
    what: "Nothing listens on the destination's port.",
    remedy: "Start the receiver, let it listen on all interfaces instead of localhost alone, and " +
      "compare its port with the one in the address.",
  },
  connection_reset: {
    what: "The destination closed the connection before its answer was complete.",
    remedy:
      "Look for crashes and restarts of the receiver at that moment, and for limits of size " +
      "and time of a proxy in front of it.",
  },
  unreachable: {
    what: "There is no route to the destination's address.",
    remedy: "Check that the host is up, and that the address in its DNS record is its own and on " +
      "the public internet.",
  },
  tls: {
    what: "No secure connection could be made.",
    remedy: "Renew the certificate if it has expired, serve it with its intermediates, and see " +
      "that it names this host and comes from a public authority.",
  },
  address_not_allowed: {
    what: "The URL names a private or reserved address, so nothing was sent.",
    remedy: "Use a public address. Whoever hosts the service can allow ranges with " +
      "DESTINATION_ALLOWED_CIDRS.",
  },
  protocol: {
    what: "What came back is not valid HTTP.",
    remedy: "Check that the port speaks HTTP and not something else, and what a proxy makes of " +
      "the answer.",
  },
  network: {
    what: "The connection failed for an unknown reason.",
    remedy: "Replay the delivery. If it fails again, look at the receiver's network and its log.",
  },
};

const UNKNOWN: Explanation = {
  what: "The attempt failed.",
  remedy: "Replay the delivery. If it fails again, look at the receiver's log.",
};

export function explainDelivery(
  { ok, error, status_code }: Pick<Delivery, "ok" | "error" | "status_code">,
): Explanation | null {
  if (ok) return null;
  const known = error === null ? undefined : ERRORS[error];
  if (known && status_code !== null) return explainBrokenOff(status_code, known);
  return known ?? (status_code === null ? UNKNOWN : explainStatus(status_code));
}

/** The status had come, and the rest of the answer had not. */
function explainBrokenOff(status: number, { remedy }: Explanation): Explanation {
  return {
    what: `The destination began to answer (${status}), but the answer did not end as it should.`,
    remedy: `${remedy} An answer to a webhook needs no body.`,
  };
}

function explainStatus(status: number): Explanation {
  if (status >= 300 && status < 400) {
    return {
      what: `The destination redirects (${status}), and redirects are not followed.`,
      remedy: "Set the destination to the very address that it redirects to, such as https " +
        "instead of http, or with the slash at its end.",
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
  415: {
    what: "The receiver does not take JSON at this path (415).",
    remedy: "Let it read bodies of the type application/json.",
  },
  429: {
    what: "The destination asked to slow down (429); its Retry-After was respected.",
    remedy: "Set a rate limit on the destination, or raise the receiver's own.",
  },
  502: gatewayError(502),
  503: gatewayError(503),
  504: gatewayError(504),
};

function refusedSignature(status: number): Explanation {
  return {
    what: `The receiver refused the request (${status}), most often because of its signature.`,
    remedy: "Compare the secret that it verifies with, and let it verify the raw bytes of the " +
      "body, before anything has parsed them. If a login guards the path, take it away.",
  };
}

/** A proxy's words: the receiver itself has often not seen the request. */
function gatewayError(status: number): Explanation {
  return {
    what: `The receiver is down or overloaded (${status}), as a proxy in front of it says.`,
    remedy:
      "Start the receiver or give it more capacity. Retries go on by themselves; replay what " +
      "must not wait.",
  };
}

function serverError(status: number): Explanation {
  return {
    what: `The receiver failed with an error of its own (${status}).`,
    remedy: "Check its log at the time of the attempt, fix it and replay.",
  };
}

function clientError(status: number): Explanation {
  return {
    what: `The receiver refused the message (${status}).`,
    remedy: "Its answer below may say why. Fix the receiver and replay.",
  };
}
