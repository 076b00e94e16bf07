/** The dimension `service` of every metric the functions write: two stages in one account never mix. */
export function serviceName(): string {
  return `${$app.name}-${$app.stage}`;
}
