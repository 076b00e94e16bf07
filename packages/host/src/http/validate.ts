import { createValidator } from "../validator/validator.ts";
import { type AppPorts, createHostAppBase, type HostApp, requireScope } from "./host-app-base.ts";

/** `POST /validate`, `GET /schema.json`: the validator of the edge behind the host's credentials (spec 07 §6). */
export function createValidateApp(ports: AppPorts): HostApp {
  const app = createHostAppBase(ports);
  // A tag lives as long as the process: the rules may be others after a restart.
  const validator = createValidator({ release: ports.newId(), logger: ports.logger });
  app.post("/validate", (c) => {
    requireScope(c.get("principal"), "specs:validate");
    return validator.validate(c.req.raw);
  });
  app.get("/schema.json", (c) => {
    requireScope(c.get("principal"), "specs:validate");
    return validator.schema(c.req.raw);
  });
  return app;
}
