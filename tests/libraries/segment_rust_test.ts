import { testLibrary } from "../support/segment_library.ts";

testLibrary("rust", { library: "segment-rust" });
