import type { Page } from "playwright-core";

/**
 * Returns the texts on a page in which a right-to-left name stands beside other text without being
 * isolated from it: there, the browser would reorder both.
 */
export async function findMixedText(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(script);
}

/** Text, because it runs on the page, whose types are not known here. */
const script = `(() => {
  const rightToLeft = /[\\u0590-\\u08ff]/;
  const isOwnLine = (element) => {
    const { unicodeBidi, display } = getComputedStyle(element);
    return /isolate|plaintext/.test(unicodeBidi) || !/inline|contents/.test(display);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!rightToLeft.test(node.data)) continue;
    let line = node.parentElement;
    while (!isOwnLine(line)) line = line.parentElement;
    if (line.offsetWidth <= 1 || line.closest("script, style")) continue;
    const others = [...line.textContent].filter((letter) => /\\p{L}/u.test(letter) && !rightToLeft.test(letter));
    if (others.length > 0) found.push(line.textContent);
  }
  return found;
})()`;
