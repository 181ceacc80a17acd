import { testLibrary } from "../../testing/senders/segment_library.ts";

testLibrary("rust", { library: "segment-rust" });
