import { type KeyObject, X509Certificate } from "node:crypto";
import { BoundedMap } from "../_shared/cache/bounded_map.ts";
import { unavailable } from "../_shared/errors/errors.ts";
import type { GuardedFetch } from "../_shared/outbound/guarded_fetch.ts";
import type { CallBudget } from "../_shared/rate_limit/call_budget.ts";
import { refused } from "./verify.ts";

export interface CertificateBook {
  /**
   * Returns the public key of the certificate at a URL that the caller has checked; a fetch is
   * charged to the budget of `sourceId`.
   *
   * @throws {ApiError} `unavailable` if it cannot be fetched, `unauthorized` if it is not valid now
   */
  find(url: string, sourceId: string): Promise<KeyObject>;
}

interface Certificate {
  key: KeyObject;
  from: number;
  until: number;
}

interface Entry {
  certificate: Promise<Certificate | undefined>;
  /** End of the cached result's validity, in ms. */
  until: number;
}

const keptMs = 24 * 60 * 60 * 1000;
const keptFailureMs = 10_000;
const maxCertificates = 100;

/** Fetches certificates of SNS, and caches them for a day; a failure for ten seconds. */
export function createSnsCertificateBook(
  { fetch, now, budget }: {
    fetch: Pick<GuardedFetch, "send">;
    now: () => Date;
    budget: CallBudget;
  },
): CertificateBook {
  const entries = new BoundedMap<string, Entry>(maxCertificates);

  function look(url: string, sourceId: string): Promise<Certificate | undefined> {
    const at = now().getTime();
    const known = entries.get(url);
    if (known !== undefined && known.until > at) return known.certificate;
    if (!budget.spend(sourceId)) return Promise.resolve(undefined);
    const entry: Entry = { certificate: fetchCertificate(fetch, url), until: at + keptMs };
    void entry.certificate.then((found) => {
      if (found === undefined) entry.until = now().getTime() + keptFailureMs;
    });
    entries.set(url, entry);
    return entry.certificate;
  }

  return {
    async find(url, sourceId) {
      const certificate = await look(url, sourceId);
      if (certificate === undefined) {
        throw unavailable("Cannot verify the signature: the certificate of SNS cannot be fetched");
      }
      const at = now().getTime();
      if (at < certificate.from || at > certificate.until) {
        throw refused("Signature does not match: its certificate has expired or is not valid yet");
      }
      return certificate.key;
    },
  };
}

/** Returns undefined if there is none at the URL. */
async function fetchCertificate(
  fetch: Pick<GuardedFetch, "send">,
  url: string,
): Promise<Certificate | undefined> {
  const { ok, response_snippet: pem } = await fetch.send({
    method: "GET",
    key: new URL(url).host,
    url,
    headers: {},
    body: new Uint8Array(),
  });
  if (!ok || pem === null) return undefined;
  try {
    const { publicKey: key, validFrom, validTo } = new X509Certificate(pem);
    const [from, until] = [Date.parse(validFrom), Date.parse(validTo)];
    return key.asymmetricKeyType === "rsa" ? { key, from, until } : undefined;
  } catch {
    return undefined;
  }
}
