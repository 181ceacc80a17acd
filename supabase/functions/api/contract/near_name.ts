export { findNearName } from "../../_shared/entries/near_name.ts";
