import { domainToASCII, domainToUnicode } from "node:url";

// Mail software gives these characters a meaning: it would find another address in the text, a name
// or a list. Consent and suppression belong to the text as it is.
const character = String.raw`[^\s@"(),:;<>[\]\\\p{Cc}\p{Cf}]`;
const label = character.replace("[^", "[^.");
const address = new RegExp(`^${character}+@${label}+(?:\\.${label}+)*$`, "u");
const asciiDomain = /^[\x21-\x7e]*$/;
const encodedLabel = /(?:^|\.)xn--/i;

/** Returns whether a text is one email address, without a name, a comment or quotes. */
export function isAddress(text: string): boolean {
  return address.test(text) && decodeDomain(domainOf(text)) !== "";
}

/**
 * Returns an address with the one spelling of its international domain, in Unicode: the others are
 * its encoded form (`xn--…`) and forms that browsers and mail software take for the same.
 */
export function canonicalAddress(text: string): string {
  const domain = domainOf(text);
  const decoded = decodeDomain(domain);
  return decoded === "" ? text : text.slice(0, text.length - domain.length) + decoded;
}

function domainOf(text: string): string {
  return text.slice(text.lastIndexOf("@") + 1);
}

/** Empty if an international domain is not valid. Other domains stay as they are. */
function decodeDomain(domain: string): string {
  if (asciiDomain.test(domain) && !encodedLabel.test(domain)) return domain;
  try {
    return domainToUnicode(domainToASCII(domain));
  } catch {
    // Deno 2.1 throws where later versions return "".
    return "";
  }
}
