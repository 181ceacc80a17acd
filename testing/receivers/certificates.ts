import { isIP } from "node:net";
// Wanted by a dependency of @peculiar/x509, and before it.
import "reflect-metadata";
import * as x509 from "@peculiar/x509";

const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const dayMs = 24 * 60 * 60 * 1_000;

/** A certificate and its private key, both in PEM. */
export interface Identity {
  cert: string;
  key: string;
}

/** A certificate authority made for one test run; nothing outside of it trusts it. */
export interface TestAuthority {
  /** Its certificate in PEM, for a client to trust. */
  cert: string;
  /** A certificate for a host name or an address, valid around now unless told otherwise. */
  issue(hostname: string, validity?: { notBefore: Date; notAfter: Date }): Promise<Identity>;
}

/** Creates a certificate authority that tests trust. */
export async function createTestAuthority(): Promise<TestAuthority> {
  const keys = await generateKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: "CN=Test authority",
    ...aroundNow(),
    signingAlgorithm: keyAlgorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
    ],
  });
  return {
    cert: authority.toString("pem"),
    async issue(hostname, validity = aroundNow()) {
      const leafKeys = await generateKeys();
      const leaf = await x509.X509CertificateGenerator.create({
        serialNumber: "02",
        subject: "CN=Test receiver",
        issuer: authority.subject,
        ...validity,
        signingAlgorithm: keyAlgorithm,
        publicKey: leafKeys.publicKey,
        signingKey: keys.privateKey,
        extensions: [nameHost(hostname)],
      });
      return await toIdentity(leaf, leafKeys);
    },
  };
}

/** A certificate that vouches for itself. */
export async function createSelfSigned(hostname: string): Promise<Identity> {
  const keys = await generateKeys();
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "03",
    name: "CN=Self-signed receiver",
    ...aroundNow(),
    signingAlgorithm: keyAlgorithm,
    keys,
    extensions: [nameHost(hostname)],
  });
  return await toIdentity(cert, keys);
}

/** An RSA key and its self-signed certificate, as SNS signs with; valid around now unless told. */
export async function createSigningIdentity(
  validity: { notBefore: Date; notAfter: Date } = aroundNow(),
): Promise<Identity> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "04",
    name: "CN=sns.amazonaws.com",
    ...validity,
    signingAlgorithm: algorithm,
    keys,
  });
  return await toIdentity(cert, keys);
}

/** A validity that ended yesterday. */
export function endedYesterday(): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - 9 * dayMs), notAfter: new Date(Date.now() - dayMs) };
}

function aroundNow(): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
}

function generateKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(keyAlgorithm, true, ["sign", "verify"]);
}

function nameHost(hostname: string): x509.SubjectAlternativeNameExtension {
  const type = isIP(hostname) === 0 ? "dns" : "ip";
  return new x509.SubjectAlternativeNameExtension([{ type, value: hostname }]);
}

async function toIdentity(cert: x509.X509Certificate, keys: CryptoKeyPair): Promise<Identity> {
  const key = await crypto.subtle.exportKey("pkcs8", keys.privateKey);
  return { cert: cert.toString("pem"), key: x509.PemConverter.encode(key, "PRIVATE KEY") };
}
