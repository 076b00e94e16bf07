/** Which version of the runtime a document asks for, and whether this package carries it out (spec 04 §2.6). */
import { UnsupportedRuntimeContractError } from "../errors.ts";
import type { MachineSpec } from "../spec/schema.ts";

/** The contract as a document writes it. */
export interface RuntimeContract {
  engine: string;
  version: string;
}

/** The contract in force, and the surfaces it selects. */
export interface ResolvedRuntimeContract extends RuntimeContract {
  source: "declared" | "defaulted";
  /** Version of the script sandbox's surface. */
  sandbox: number;
  testFormat: string;
}

const ENGINE = "archmax-harness";
/** Version to sandbox surface. */
const SANDBOX_OF = new Map([
  ["1", 1],
  ["2", 2],
]);

/** The contract of a document. Total: an unknown version takes version 1's surfaces. */
export function resolveRuntimeContract(runtime: MachineSpec["runtime"] | undefined): ResolvedRuntimeContract {
  const version = runtime?.version === undefined ? "1" : String(runtime.version);
  return {
    engine: runtime?.engine ?? ENGINE,
    version,
    source: runtime?.engine === undefined && runtime?.version === undefined ? "defaulted" : "declared",
    sandbox: SANDBOX_OF.get(version) ?? 1,
    testFormat: "1",
  };
}

/** @throws UnsupportedRuntimeContractError for a contract this package does not carry out. */
export function assertRuntimeContract(contract: ResolvedRuntimeContract): void {
  if (contract.engine === ENGINE && SANDBOX_OF.has(contract.version)) return;
  throw new UnsupportedRuntimeContractError(
    `${contract.engine}@${contract.version}`,
    [...SANDBOX_OF.keys()].map((version) => `${ENGINE}@${version}`),
  );
}
