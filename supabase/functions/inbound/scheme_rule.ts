/** A request's claim: well-formed, not yet verified. */
export interface Claim {
  signatures: readonly string[];
  /** The time as sent; undefined if the scheme signs no time. */
  timestamp?: string;
  /** The time in Unix seconds. */
  at?: number;
  /** The message's id, if the scheme signs it. */
  id?: string;
}

/** Parts of a request that may be signed, besides its body. */
export interface RequestLine {
  method: string;
  /** The URL as the sender knows it. */
  url: string;
}

export interface Signed {
  claim: Claim;
  secret: string;
  body: Uint8Array;
  request: RequestLine;
}

export type Matches = (signature: string) => boolean;

export interface SchemeRule {
  /**
   * The required headers in lower case: first the signature's, then the time's. Several lists if
   * senders name them differently.
   */
  headers: readonly (readonly string[])[];
  /** Reads the values of those headers; undefined if they are malformed. */
  read(values: readonly string[]): Claim | undefined;
  /** Reads a claim from the body if no header contains one; undefined if it is malformed. */
  readBody?: (body: Uint8Array) => Claim | undefined;
  /** Seconds that a signed time may be in the past and in the future. @default 300 */
  tolerance?: { past: number; future: number };
  /**
   * Returns a constant-time check of signatures against a secret. The body is hashed here, once, so
   * that many signatures cause no more work.
   */
  matcher(signed: Signed): Matches;
  /** Challenge in the header `WWW-Authenticate` of a 401. @default Signature */
  challenge?: string;
}

/** Most parts of a header, including skipped ones. */
export const maxParts = 50;

/**
 * More than any sender uses during a rotation; without a limit, a header could cause much hashing.
 */
export const maxSignatures = 10;
