import { survivesMoves } from "./service/survives_moves.ts";
await survivesMoves({ moves: JSON.parse(Deno.args[0]!), say: (line) => console.log(line) });
