declare module "dynalite" {
  import type { Server } from "node:http";
  /** An in-process stand-in for DynamoDB that keeps its tables in memory. */
  export default function dynalite(options?: {
    createTableMs?: number;
    deleteTableMs?: number;
    updateTableMs?: number;
  }): Server;
}
