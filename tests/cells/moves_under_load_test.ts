import { survivesMoves } from "../../testing/service/survives_moves.ts";

Deno.test("a workspace moves back and forth under load, and nothing is lost or sent twice", () =>
  survivesMoves({ moves: [{}, {}] }));

Deno.test("a workspace moves while databases are killed, and nothing is lost", () =>
  survivesMoves({
    moves: [
      { killed: "source", before: "copy" },
      { killed: "target", before: "hold" },
      { killed: "source", before: "take_out" },
      { killed: "target", before: "adopt" },
      { killed: "source", before: "redirect" },
      { killed: "target", before: "clean" },
    ],
  }));
