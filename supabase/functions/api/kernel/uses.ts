/** Use of a resource: a segment, a campaign that has not ended, or a journey. */
export interface Use {
  kind: "segment" | "campaign" | "journey";
  id: string;
  name: string;
}
