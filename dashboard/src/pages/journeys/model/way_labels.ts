/** Names a condition of a branch among all of its conditions. */
export function labelCondition(n: number, count: number): string {
  return count === 1 ? "If" : `Condition ${n + 1}`;
}

/** Names the choice of the step that follows a condition of a branch. */
export function labelConditionWay(n: number, count: number): string {
  return count === 1 ? "If true, go to" : `If condition ${n + 1} is true, go to`;
}

/** Names the choice of the step that follows a way of a split. */
export function labelSplitWay(n: number): string {
  return `Way ${n + 1} goes to`;
}

/** Names the choice of the step of those who meet no condition. */
export const elseLabel = "Otherwise go to";
