/** The form of an IANA name. `Intl` takes offsets such as +01:00 as well, and names in any case; EventBridge does not. */
const NAME = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*){0,2}$/;

/** Whether the name is an IANA time zone in its own spelling, as far as this machine's time zone data goes. */
export function isTimeZone(name: string): boolean {
  if (!NAME.test(name)) return false;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    return timeZone === name || timeZone.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

/** Names that may have been meant by one that is none: they begin alike and are about as long. */
export function* timeZonesLike(name: string): Generator<string> {
  const start = name.slice(0, 2).toLowerCase();
  for (const zone of Intl.supportedValuesOf("timeZone")) {
    if (Math.abs(zone.length - name.length) <= 2 && zone.slice(0, 2).toLowerCase() === start) yield zone;
  }
}
