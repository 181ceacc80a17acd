import assert from "node:assert/strict";
import { chooseDecimals, formatDecimal } from "../../dashboard/src/format/numbers.ts";

Deno.test("formatDecimal() fills up decimals, and gives huge and tiny numbers an exponent", () => {
  const cents = { least: 2, most: 2 };
  const shown = [1234.5, -0.005, 0, 1e15, -2.5e300, 5e-324].map((number) =>
    formatDecimal(number, cents)
  );
  assert.deepEqual(shown, ["1,234.50", "-0.01", "0.00", "1E15", "-2.5E300", "5E-324"]);
  assert.equal(formatDecimal(0.30000000000000004, { least: 0, most: 2 }), "0.3");
});

Deno.test("chooseDecimals() shows whole numbers whole, money with cents, and small numbers at all", () => {
  assert.equal(chooseDecimals([]), 0);
  assert.equal(chooseDecimals([3, -1200, 0]), 0);
  assert.equal(chooseDecimals([3, 19.999]), 2);
  assert.equal(chooseDecimals([-0.25, 0]), 2);
  assert.equal(chooseDecimals([0.0123]), 3);
  assert.equal(chooseDecimals([5e-324]), 8);
});
