import type { StagePolicy } from "./stage.ts";

/**
 * A budget over the whole account, so that nothing has to be switched on first for it to count: a filter by the
 * stage's tag would stay at zero until somebody makes the tag known to billing.
 */
export function createBudget({ alarmEmail, monthlyBudgetUsd }: StagePolicy): void {
  if (monthlyBudgetUsd === undefined || alarmEmail === undefined) return;
  const tellAt = (notificationType: "ACTUAL" | "FORECASTED", threshold: number) => ({
    notificationType,
    threshold,
    thresholdType: "PERCENTAGE",
    comparisonOperator: "GREATER_THAN",
    subscriberEmailAddresses: [alarmEmail],
  });
  new aws.budgets.Budget("Budget", {
    name: `${$app.name}-${$app.stage}`,
    budgetType: "COST",
    limitAmount: String(monthlyBudgetUsd),
    limitUnit: "USD",
    timeUnit: "MONTHLY",
    notifications: [tellAt("ACTUAL", 80), tellAt("ACTUAL", 100), tellAt("FORECASTED", 100)],
  });
}
