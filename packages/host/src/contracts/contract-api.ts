/**
 * The two functions a contract needs of a test runner, vitest's or node:test's. The suites assert with
 * node:assert, so that no runner becomes a dependency of this package.
 *
 * @example
 * import { describe, test } from "vitest";
 * sessionRecordsContract({ describe, test }, async () => ({ subject: createMyRecords() }));
 */
export interface ContractApi {
  describe(name: string, body: () => void): void;
  test(name: string, body: () => Promise<void>): void;
}

/** A fresh, empty implementation for one test. */
export interface ContractSubject<T> {
  subject: T;
  /** Called when the test has ended. */
  dispose?(): Promise<void>;
}

/** A subject that is told the time: it reads no clock but the one it is given. */
export interface TimedContractSubject<T> extends ContractSubject<T> {
  /** Moves the subject's clock forward, in milliseconds. */
  advance(milliseconds: number): Promise<void>;
  /** The subject's present, milliseconds since the epoch. */
  now(): number;
}

/** Makes a test that disposes of its subject, whatever happens. */
export function withSubject<S extends ContractSubject<unknown>>(
  api: ContractApi,
  make: () => Promise<S>,
): (name: string, body: (made: S) => Promise<void>) => void {
  return (name, body) =>
    api.test(name, async () => {
      const made = await make();
      try {
        await body(made);
      } finally {
        await made.dispose?.();
      }
    });
}

/** Session ids that a store must keep apart and give back exactly. */
export const AWKWARD_SESSION_IDS: readonly string[] = [
  "plain",
  "with space",
  "a/b",
  "a/b/c",
  "a%2Fb",
  "per%cent",
  "has#hash",
  "has:colon",
  "star*and?mark",
  "dot.dot",
  "UPPER",
  "upper",
  "Grüße-日本語-🙂",
  "e\u0301",
  "\u00e9",
  "tab\there",
  `long-${"x".repeat(500)}`,
];
