/** What a request claims, well-formed and not yet believed. */
export interface Claim {
  signatures: readonly string[];
  /** As sent; undefined where the scheme signs no time. */
  timestamp?: string;
  /** That in Unix seconds. */
  at?: number;
  /** The message's id where the scheme signs it. */
  id?: string;
}

/** What of a request may be signed beside its body. */
export interface RequestLine {
  method: string;
  /** The address as its sender has it. */
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
   * The headers it needs, in lower case: that of the signature first, then that of the time. Several
   * lists where senders name them differently.
   */
  headers: readonly (readonly string[])[];
  /** Reads the values of those headers; undefined when they are malformed. */
  read(values: readonly string[]): Claim | undefined;
  /** Reads a claim that is in the body, where no header has one; undefined when it is malformed. */
  readBody?: (body: Uint8Array) => Claim | undefined;
  /** How far a signed time may be in the past and in the future. @default 300 seconds */
  tolerance?: { past: number; future: number };
  /**
   * Tells whether a signature is the secret's, in a time that tells nothing of the others. The
   * body is hashed here, once: however many signatures are sent, they buy no more work.
   */
  matcher(signed: Signed): Matches;
  /** What is asked for in the header `WWW-Authenticate` of a 401. @default Signature */
  challenge?: string;
}

/** Parts that a header may have, those included that are skipped. */
export const maxParts = 50;

/** More than any sender makes during a rotation; without a bound a header could buy much hashing. */
export const maxSignatures = 10;
